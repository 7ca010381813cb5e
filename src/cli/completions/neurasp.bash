# bash completion for neurasp, made by `neurasp completion bash`.
_neurasp() {
    local current=${COMP_WORDS[COMP_CWORD]} previous=${COMP_WORDS[COMP_CWORD-1]}
    local command= words= word
    for word in "${COMP_WORDS[@]:1:COMP_CWORD-1}"; do
        case $word in
        check|models|map|prob|marginals|sample|gradient|explain|compile|ground|train|evaluate|predict|completion|help) command=$word; break ;;
        esac
    done
    case "$command $previous" in
        *" --as") COMPREPLY=($(compgen -W "nnf circuit dot" -- "$current")); return ;;
        *" --atoms") COMPREPLY=($(compgen -W "shown all" -- "$current")); return ;;
        *" --choices") COMPREPLY=(); return ;;
        *" --circuit-cache") COMPREPLY=($(compgen -d -- "$current")); return ;;
        *" --color") COMPREPLY=($(compgen -W "auto always never" -- "$current")); return ;;
        *" --const") COMPREPLY=(); return ;;
        *" --convention") COMPREPLY=($(compgen -W "plain proposition1" -- "$current")); return ;;
        *" --count") COMPREPLY=(); return ;;
        *" --dot") COMPREPLY=($(compgen -f -- "$current")); return ;;
        *" --each") COMPREPLY=(); return ;;
        *" --engine") COMPREPLY=($(compgen -W "auto enumerate circuit" -- "$current")); return ;;
        *" --format") COMPREPLY=($(compgen -W "text json" -- "$current")); return ;;
        *" --ground-limit") COMPREPLY=(); return ;;
        *" --input") COMPREPLY=(); return ;;
        *" --input-deviation") COMPREPLY=(); return ;;
        *" --input-mean") COMPREPLY=(); return ;;
        *" --input-scale") COMPREPLY=(); return ;;
        *" --logits") COMPREPLY=(); return ;;
        *" --memory-limit") COMPREPLY=(); return ;;
        *" --model-limit") COMPREPLY=(); return ;;
        *" --net") COMPREPLY=(); return ;;
        *" --node-limit") COMPREPLY=(); return ;;
        *" --observe") COMPREPLY=(); return ;;
        *" --observe-file") COMPREPLY=($(compgen -f -- "$current")); return ;;
        *" --observe-set") COMPREPLY=($(compgen -f -- "$current")); return ;;
        *" --output") COMPREPLY=($(compgen -f -- "$current")); return ;;
        *" --probs") COMPREPLY=($(compgen -f -- "$current")); return ;;
        *" --query") COMPREPLY=(); return ;;
        *" --samples") COMPREPLY=(); return ;;
        *" --seed") COMPREPLY=(); return ;;
        *" --set") COMPREPLY=(); return ;;
        *" --split") COMPREPLY=($(compgen -W "train validation test" -- "$current")); return ;;
        *" --steps") COMPREPLY=(); return ;;
        *" --time-limit") COMPREPLY=(); return ;;
        *" --weights") COMPREPLY=($(compgen -d -- "$current")); return ;;
        *" -c") COMPREPLY=(); return ;;
        *" -k") COMPREPLY=(); return ;;
        *" -n") COMPREPLY=(); return ;;
        "compile -o") COMPREPLY=($(compgen -f -- "$current")); return ;;
        "check -o"|"models -o"|"map -o"|"prob -o"|"marginals -o"|"sample -o"|"gradient -o"|"explain -o"|"ground -o"|"predict -o") COMPREPLY=(); return ;;
        *" -p") COMPREPLY=($(compgen -f -- "$current")); return ;;
        *" -q") COMPREPLY=(); return ;;
    esac
    case $command in
        check) words="--coherence --argmax -c --const --ground-limit --allow-script --allow-include -o --observe --observe-file -p --probs --logits --net --input --input-scale --input-mean --input-deviation --convert-inputs --engine --optimal --time-limit --model-limit --memory-limit --circuit-cache --format --color --stats --set --split --choices --steps -h --help" ;;
        models) words="-n --count -c --const --ground-limit --allow-script --allow-include -o --observe --observe-file -p --probs --logits --net --input --input-scale --input-mean --input-deviation --convert-inputs --engine --optimal --time-limit --model-limit --memory-limit --circuit-cache --format --color --stats --atoms -h --help" ;;
        map) words="-k --count --ties -c --const --ground-limit --allow-script --allow-include -o --observe --observe-file -p --probs --logits --net --input --input-scale --input-mean --input-deviation --convert-inputs --engine --optimal --time-limit --model-limit --memory-limit --circuit-cache --format --color --stats --atoms -h --help" ;;
        prob) words="-c --const --ground-limit --allow-script --allow-include -o --observe --observe-file -p --probs --logits --net --input --input-scale --input-mean --input-deviation --convert-inputs --engine --optimal --time-limit --model-limit --memory-limit --circuit-cache --format --color --stats -q --query --each --observe-set --samples --seed -h --help" ;;
        marginals) words="-c --const --ground-limit --allow-script --allow-include -o --observe --observe-file -p --probs --logits --net --input --input-scale --input-mean --input-deviation --convert-inputs --engine --optimal --time-limit --model-limit --memory-limit --circuit-cache --format --color --stats --atoms -h --help" ;;
        sample) words="-n --count --seed -c --const --ground-limit --allow-script --allow-include -o --observe --observe-file -p --probs --logits --net --input --input-scale --input-mean --input-deviation --convert-inputs --engine --optimal --time-limit --model-limit --memory-limit --circuit-cache --format --color --stats --atoms -h --help" ;;
        gradient) words="--convention -c --const --ground-limit --allow-script --allow-include -o --observe --observe-file -p --probs --logits --net --input --input-scale --input-mean --input-deviation --convert-inputs --engine --optimal --time-limit --model-limit --memory-limit --circuit-cache --format --color --stats -h --help" ;;
        explain) words="-k --count --steps --dot -c --const --ground-limit --allow-script --allow-include -o --observe --observe-file -p --probs --logits --net --input --input-scale --input-mean --input-deviation --convert-inputs --engine --optimal --time-limit --model-limit --memory-limit --circuit-cache --format --color --stats -q --query --atoms -h --help" ;;
        compile) words="-c --const --ground-limit --allow-script --allow-include --observe --observe-file -p --probs --logits -o --output --as --dot --smooth --optimal --time-limit --node-limit --memory-limit --circuit-cache --format --color --stats -h --help" ;;
        ground) words="-c --const --ground-limit --allow-script --allow-include --aspif -o --observe --observe-file --format --color -h --help" ;;
        train) words="--set --format --color --resume --overwrite --no-report --stats -h --help" ;;
        evaluate) words="--set --format --color --weights --split -h --help" ;;
        predict) words="--set --format --color --weights --split --input --convert-inputs -o --observe -q --query -k --count --time-limit -h --help" ;;
        completion) words="-h --help" ;;
        help) words="-h --help" ;;
        *) words="-v --version -h --help" ;;
    esac
    if [[ $current == -* ]]; then
        COMPREPLY=($(compgen -W "$words" -- "$current"))
    elif [[ -z $command ]]; then
        COMPREPLY=($(compgen -W "check models map prob marginals sample gradient explain compile ground train evaluate predict completion help" -- "$current"))
    elif [[ $command == completion ]]; then
        COMPREPLY=($(compgen -W "bash zsh fish" -- "$current"))
    elif [[ $command == help ]]; then
        COMPREPLY=($(compgen -W "check models map prob marginals sample gradient explain compile ground train evaluate predict completion help" -- "$current"))
    else
        COMPREPLY=($(compgen -f -- "$current"))
    fi
}
complete -o filenames -F _neurasp neurasp
