// NPZ files: choosing a member of the archive by its name, and reading it as an NPY file.
#include "data/npz.hpp"

#include "base/counted.hpp"
#include "base/suggest.hpp"
#include "data/data_error.hpp"
#include "data/npy.hpp"
#include "data/zip_directory.hpp"

#include <optional>

namespace neurasp::data {

namespace {

std::string array_name(const ZipMember &member) {
    std::string_view name = member.name;
    if (name.ends_with(".npy")) name.remove_suffix(4);
    return std::string(name);
}

const ZipMember &choose(const std::vector<ZipMember> &members, const std::string &wanted,
                        const std::string &archive) {
    if (wanted.empty() && members.size() == 1) return members.front();
    std::vector<std::string> names;
    std::string listed;
    for (const ZipMember &member : members) {
        names.push_back(array_name(member));
        if (!wanted.empty() && (wanted == names.back() || wanted == member.name)) return member;
        if (names.size() <= 20) listed += (listed.empty() ? "" : ", ") + names.back();
    }
    if (wanted.empty()) {
        throw data_error("data-member", archive,
                         "the archive holds " + base::counted(members.size(), "array") +
                             "; say which one is meant",
                         "it holds: " + (listed.empty() ? "nothing" : listed));
    }
    const std::optional<std::string> near = base::closest_name(wanted, names);
    throw data_error("data-member", archive, "the archive holds no array '" + wanted + "'",
                     near ? "did you mean '" + *near + "'?"
                          : "it holds: " + (listed.empty() ? "nothing" : listed));
}

} // namespace

bool is_npz(ByteSpan bytes) { return is_zip(bytes); }

std::vector<std::string> npz_members(ByteSpan bytes, const std::string &name) {
    std::vector<std::string> names;
    for (const ZipMember &member : read_zip_directory(bytes, name))
        names.push_back(array_name(member));
    return names;
}

Array parse_npz(ByteSpan bytes, const std::string &name, const std::string &member,
                std::uint64_t most_bytes) {
    const std::vector<ZipMember> members = read_zip_directory(bytes, name);
    const ZipMember &chosen = choose(members, member, name);
    return parse_npy(unpack_zip_member(bytes, chosen, name, most_bytes),
                     name + "[" + array_name(chosen) + "]");
}

} // namespace neurasp::data
