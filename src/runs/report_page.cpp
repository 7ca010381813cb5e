// The page around the sections: its style, light and dark, and a script that shows the values under the
// pointer. Both are written without '<' and '&', so that the page is XML without escaping.
#include "runs/report_sections.hpp"
#include "runs/report_text.hpp"

#include <string_view>

namespace neurasp::runs::report {

namespace {

constexpr std::string_view style = R"css(
:root { color-scheme: light dark;
  --page: #f4f5f7; --card: #ffffff; --text: #1c2128; --soft: #5b6470; --line: #dfe2e7;
  --right: #17703a; --wrong: #b3261e; --notice: #fff4d6; --notice-line: #d9a400;
  --s0: #2563c9; --s1: #c2570c; --s2: #0b7f6b; --s3: #7a48c9; --s4: #b02a63; --s5: #687600; }
@media (prefers-color-scheme: dark) { :root {
  --page: #14171b; --card: #1d2126; --text: #e4e7eb; --soft: #9aa4b1; --line: #343a42;
  --right: #5fd08a; --wrong: #ff8f85; --notice: #332a10; --notice-line: #b98f1c;
  --s0: #6ea6ff; --s1: #f39a52; --s2: #4dcbb0; --s3: #b79bff; --s4: #f58ab3; --s5: #c3cf58; } }
* { box-sizing: border-box; }
body { margin: 0 auto; padding: 1.5rem 1.25rem 4rem; max-width: 1180px; background: var(--page);
  color: var(--text); font: 15px/1.5 system-ui, "Segoe UI", "Noto Sans", "DejaVu Sans", sans-serif; }
code, pre { font-family: ui-monospace, "Cascadia Mono", "DejaVu Sans Mono", monospace; font-size: 0.88em; }
code { overflow-wrap: anywhere; white-space: pre-wrap; }
pre { margin: 0.5rem 0 0; overflow-x: auto; }
pre code { white-space: pre; overflow-wrap: normal; }
h1 { margin: 0; font-size: 1.75rem; line-height: 1.25; overflow-wrap: anywhere; }
h2 { margin: 2.25rem 0 0.75rem; font-size: 1.2rem; }
h3 { margin: 0; font-size: 0.95rem; overflow-wrap: anywhere; }
ul, dl, figure, dd, p { margin: 0; padding: 0; }
section > p { margin-bottom: 0.75rem; color: var(--soft); }
.kind { color: var(--soft); font-size: 0.85rem; }
.summary { color: var(--soft); margin: 0.25rem 0 1rem; font-size: 1.05rem; }
.card { background: var(--card); border: 1px solid var(--line); border-radius: 8px; padding: 0.9rem 1rem; }
.notice { background: var(--notice); border-left: 4px solid var(--notice-line); border-radius: 4px;
  padding: 0.6rem 0.9rem; margin: 0 0 0.9rem; overflow-wrap: anywhere; }
.notice ul { padding-left: 1.25rem; }
.tiles { list-style: none; display: grid; gap: 0.75rem;
  grid-template-columns: repeat(auto-fill, minmax(165px, 1fr)); }
.tiles li { color: var(--soft); font-size: 0.85rem; line-height: 1.35; overflow-wrap: anywhere; }
.tiles b { display: block; color: var(--text); font-size: 1.5rem; font-weight: 600;
  font-variant-numeric: tabular-nums; margin-bottom: 0.2rem; }
.charts { display: grid; gap: 0.9rem; grid-template-columns: repeat(auto-fit, minmax(min(100%, 420px), 1fr)); }
figure { position: relative; min-width: 0; display: flex; flex-direction: column; }
figure > svg { margin-top: auto; }
figcaption { font-weight: 600; overflow-wrap: anywhere; }
figcaption::first-letter { text-transform: uppercase; }
.legend { list-style: none; display: flex; flex-wrap: wrap; gap: 0 1.1rem; color: var(--soft);
  font-size: 0.82rem; margin: 0.15rem 0 0.4rem; }
.legend b { color: var(--text); font-weight: 600; font-variant-numeric: tabular-nums; }
.swatch { width: 22px; height: 12px; margin-right: 0.4rem; vertical-align: -1px; }
figure > svg { display: block; width: 100%; height: auto; touch-action: pan-y; }
svg text { fill: var(--soft); font-size: 11.5px; font-variant-numeric: tabular-nums; }
.grid line { stroke: var(--line); stroke-width: 1; }
.grid .y { text-anchor: end; } .grid .x { text-anchor: middle; }
.pointer { stroke: var(--soft); stroke-width: 1; stroke-dasharray: 3 3; pointer-events: none; }
.s0 { color: var(--s0); } .s1 { color: var(--s1); } .s2 { color: var(--s2); }
.s3 { color: var(--s3); } .s4 { color: var(--s4); } .s5 { color: var(--s5); }
.series { fill: currentColor; stroke: none; }
.series path { fill: none; stroke: currentColor; stroke-width: 2; stroke-linejoin: round; }
.series.thin path { stroke-width: 1.2; opacity: 0.55; }
.series circle, .series polygon { stroke: var(--card); stroke-width: 1; }
.f0 { color: var(--s0); } .f1 { color: var(--s1); } .f2 { color: var(--s2); }
rect.f0, rect.f1, rect.f2, .swatch rect { fill: currentColor; shape-rendering: crispEdges; }
rect.hatched, .hatched rect { fill: url(#hatch); }
.defs { position: absolute; width: 0; height: 0; }
.tip { position: absolute; z-index: 2; pointer-events: none; background: var(--card); color: var(--text);
  border: 1px solid var(--line); border-radius: 6px; padding: 0.3rem 0.6rem; font-size: 0.8rem;
  white-space: nowrap; box-shadow: 0 2px 8px rgb(0 0 0 / 0.2); }
.tip i { display: inline-block; width: 0.7em; height: 0.7em; margin-right: 0.4em; border-radius: 2px;
  background: currentColor; }
.tip p { display: flex; align-items: baseline; } .tip b { margin-left: auto; padding-left: 1em; }
.tip [hidden], .tip[hidden] { display: none; }
table { border-collapse: collapse; font-size: 0.88rem; }
th, td { padding: 0.3rem 0.75rem; border-bottom: 1px solid var(--line); vertical-align: top; }
tbody tr:last-child > * { border-bottom: 0; }
.scroll { overflow: auto; max-height: 34rem; padding: 0; }
.numbers { min-width: 100%; }
.numbers th, .numbers td { text-align: right; font-variant-numeric: tabular-nums; white-space: nowrap; }
.numbers th { position: sticky; top: 0; background: var(--card); color: var(--soft); font-weight: 600;
  white-space: normal; vertical-align: bottom; box-shadow: inset 0 -1px var(--line); }
.settings th { text-align: left; font-weight: 400; color: var(--soft); overflow-wrap: anywhere;
  min-width: 8rem; }
.settings td { white-space: pre-wrap; overflow-wrap: anywhere; }
.rules, .predictions { display: grid; gap: 0.9rem;
  grid-template-columns: repeat(auto-fill, minmax(min(100%, 300px), 1fr)); }
.rule table { width: 100%; margin-top: 0.4rem; } .rule th { text-align: left; font-weight: 400; }
.rule th, .rule td { padding-left: 0; } .rule td { font-variant-numeric: tabular-nums; }
.bar { width: 45%; vertical-align: middle; } .bar span { display: block; height: 0.6rem; border-radius: 2px;
  background: var(--s0); }
.predictions .whole { grid-column: 1 / -1; }
.predictions h3 { display: flex; justify-content: space-between; gap: 0.75rem; font-weight: 600; }
.predictions .missed { border: 2px dashed var(--wrong); }
.verdict { white-space: nowrap; }
.right { color: var(--right); } .wrong { color: var(--wrong); }
.pictures { list-style: none; display: flex; flex-wrap: wrap; gap: 0.75rem; margin: 0.6rem 0; }
.pictures li { display: flex; flex-direction: column; font-size: 0.85rem; line-height: 1.4; min-width: 84px;
  max-width: 100%; overflow-wrap: anywhere; }
.pictures.small { gap: 0.5rem; } .pictures.small li { min-width: 52px; font-size: 0.75rem; }
.pictures img { image-rendering: pixelated; border: 1px solid var(--line); border-radius: 3px;
  margin-bottom: 0.25rem; height: auto; max-width: 100%; }
dl { display: grid; grid-template-columns: auto minmax(0, 1fr); gap: 0.1rem 0.75rem; font-size: 0.85rem; }
dt { color: var(--soft); }
.confusions { display: grid; gap: 0.9rem; grid-template-columns: repeat(auto-fit, minmax(min(100%, 420px), 1fr)); }
.confusions p { color: var(--soft); } .confusions .scroll { margin-top: 0.5rem; }
.confusion td, .confusion th { text-align: right; padding: 0.25rem 0.5rem; font-variant-numeric: tabular-nums;
  border: 1px solid var(--line); }
.confusion th { color: var(--soft); font-weight: 600; overflow-wrap: anywhere; }
.confusion th[colspan] { text-align: center; } .confusion .none { color: var(--soft); }
.confusion .hit { border: 2px solid var(--right); background: color-mix(in srgb, var(--right) var(--share, 0%), transparent); }
.confusion .miss { background: color-mix(in srgb, var(--wrong) var(--share, 0%), transparent); }
.mixups { margin: 0.6rem 0 0; padding-left: 1.4rem; font-size: 0.88rem; }
section > .card + .card { margin-top: 0.75rem; }
summary { cursor: pointer; font-weight: 600; }
details .scroll { margin-top: 0.5rem; }
@media (max-width: 600px) { body { padding: 1rem 0.75rem 3rem; } svg text { font-size: 14px; }
  h1 { font-size: 1.4rem; } .card { padding: 0.75rem; } .card.scroll { padding: 0; }
  .tiles { grid-template-columns: repeat(auto-fill, minmax(140px, 1fr)); } }
@media print { body { max-width: none; } .card, figure { break-inside: avoid; } .scroll { max-height: none; } }
)css";

constexpr std::string_view script = R"js(
document.querySelectorAll("svg[data-hover]").forEach(function (svg) {
  var series = JSON.parse(svg.dataset.hover), figure = svg.parentNode;
  var pointer = svg.querySelector(".pointer");
  var tip = figure.appendChild(document.createElement("div"));
  tip.className = "tip";
  tip.hidden = true;
  function nearest(x) {
    var best = null;
    series.forEach(function (one) { one.points.forEach(function (point) {
      if (best === null || Math.abs(best - x) > Math.abs(point[0] - x)) best = point[0];
    }); });
    return best;
  }
  function add(tag, parent, text) {
    var element = parent.appendChild(document.createElement(tag));
    element.textContent = text;
    return element;
  }
  function fill(x) {
    tip.textContent = "";
    var head = add("div", tip, "");
    series.forEach(function (one) { one.points.forEach(function (point) {
      if (point[0] !== x) return;
      head.textContent = point[1];
      var row = add("p", tip, "");
      add("i", row, "").className = one.style;
      add("span", row, one.name);
      add("b", row, point[2]);
    }); });
  }
  svg.addEventListener("pointermove", function (event) {
    var frame = svg.getBoundingClientRect(), outer = figure.getBoundingClientRect();
    var scale = frame.width / svg.viewBox.baseVal.width;
    var x = nearest((event.clientX - frame.left) / scale);
    if (x === null) return;
    fill(x);
    tip.hidden = false;
    pointer.setAttribute("x1", x);
    pointer.setAttribute("x2", x);
    pointer.setAttribute("visibility", "visible");
    var left = frame.left - outer.left + x * scale + 12;
    if (left + tip.offsetWidth > outer.width) left -= tip.offsetWidth + 24;
    tip.style.left = Math.max(left, 0) + "px";
    tip.style.top = frame.top - outer.top + 8 + "px";
  });
  svg.addEventListener("pointerleave", function () {
    tip.hidden = true;
    pointer.setAttribute("visibility", "hidden");
  });
});
)js";

// Definitions that the shapes of all charts refer to.
constexpr std::string_view definitions = R"svg(<svg class="defs" aria-hidden="true"><defs>
<pattern id="hatch" width="5" height="5" patternUnits="userSpaceOnUse" patternTransform="rotate(45)">
<rect class="f1" width="5" height="5" fill-opacity="0.35"/><rect class="f1" width="2" height="5"/>
</pattern></defs></svg>
)svg";

} // namespace

std::string page(std::string_view title, const std::string &body) {
    std::string html = "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\"/>\n"
                       "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\"/>\n"
                       "<meta name=\"color-scheme\" content=\"light dark\"/>\n";
    html.append("<title>").append(escape(title.empty() ? "Training run" : title));
    html.append(" – NeurASP</title>\n<style>").append(style).append("</style>\n</head>\n<body>\n");
    html.append(definitions).append("<main>\n").append(body).append("</main>\n<script>");
    return html.append(script).append("</script>\n</body>\n</html>\n");
}

} // namespace neurasp::runs::report
