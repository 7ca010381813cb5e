// A validator for the part of JSON Schema that docs/schema uses.
#include "support/schema.hpp"

#include "cli/process.hpp"

#include <algorithm>
#include <fstream>
#include <stdexcept>

namespace neurasp::test {

namespace {

using nlohmann::json;

bool has_type(const json &value, const std::string &type) {
    if (type == "integer") return value.is_number_integer();
    if (type == "number") return value.is_number();
    if (type == "string") return value.is_string();
    if (type == "boolean") return value.is_boolean();
    if (type == "array") return value.is_array();
    if (type == "object") return value.is_object();
    if (type == "null") return value.is_null();
    throw std::runtime_error("unknown type " + type);
}

bool has_some_type(const json &value, const json &types) {
    if (types.is_string()) return has_type(value, types);
    return std::any_of(types.begin(), types.end(),
                       [&](const json &type) { return has_type(value, type); });
}

class Validator {
  public:
    explicit Validator(const json &root) : root_(root) {}

    std::string check(const json &schema, const json &value, const std::string &path) const {
        for (const auto &[keyword, wanted] : schema.items()) {
            const std::string wrong = check_keyword(schema, keyword, wanted, value, path);
            if (!wrong.empty()) return wrong;
        }
        return {};
    }

  private:
    std::string check_keyword(const json &schema, const std::string &keyword, const json &wanted,
                              const json &value, const std::string &path) const {
        const auto unless = [&](bool fine) {
            return fine ? ""
                        : path + ": " + keyword + " " + wanted.dump() + ", found " + value.dump();
        };
        if (keyword == "$ref") {
            return check(root_.at(json::json_pointer(wanted.get<std::string>().substr(1))), value,
                         path);
        }
        if (keyword == "type") return unless(has_some_type(value, wanted));
        if (keyword == "const") return unless(value == wanted);
        if (keyword == "enum")
            return unless(std::find(wanted.begin(), wanted.end(), value) != wanted.end());
        if (keyword == "minimum") return unless(!value.is_number() || value >= wanted);
        if (keyword == "maximum") return unless(!value.is_number() || value <= wanted);
        if (keyword == "minItems") return unless(!value.is_array() || value.size() >= wanted);
        if (keyword == "required") return unless(has_all(wanted, value));
        if (keyword == "anyOf") return unless(fits_any(wanted, value, path));
        if (keyword == "items") return check_items(wanted, value, path);
        if (keyword == "properties") return check_properties(wanted, value, path);
        if (keyword == "additionalProperties") {
            return check_additional(schema.value("properties", json::object()), wanted, value,
                                    path);
        }
        if (keyword == "$schema" || keyword == "$defs" || keyword == "title" ||
            keyword == "description") {
            return {};
        }
        throw std::runtime_error("unknown keyword " + keyword);
    }

    static bool has_all(const json &keys, const json &value) {
        return !value.is_object() || std::all_of(keys.begin(), keys.end(), [&](const json &key) {
            return value.contains(key.get<std::string>());
        });
    }

    bool fits_any(const json &schemas, const json &value, const std::string &path) const {
        return std::any_of(schemas.begin(), schemas.end(),
                           [&](const json &schema) { return check(schema, value, path).empty(); });
    }

    std::string check_items(const json &schema, const json &value, const std::string &path) const {
        if (!value.is_array()) return {};
        for (std::size_t i = 0; i < value.size(); ++i) {
            const std::string wrong = check(schema, value[i], path + "/" + std::to_string(i));
            if (!wrong.empty()) return wrong;
        }
        return {};
    }

    std::string check_properties(const json &schemas, const json &value,
                                 const std::string &path) const {
        if (!value.is_object()) return {};
        for (const auto &[key, schema] : schemas.items()) {
            if (!value.contains(key)) continue;
            const std::string wrong = check(schema, value[key], path + "/" + key);
            if (!wrong.empty()) return wrong;
        }
        return {};
    }

    std::string check_additional(const json &known, const json &schema, const json &value,
                                 const std::string &path) const {
        if (!value.is_object()) return {};
        for (const auto &[key, item] : value.items()) {
            if (known.contains(key)) continue;
            if (schema == false) return path + ": unexpected member '" + key + "'";
            const std::string wrong = check(schema, item, path + "/" + key);
            if (!wrong.empty()) return wrong;
        }
        return {};
    }

    const json &root_;
};

} // namespace

std::string schema_violation(const json &schema, const json &value) {
    return Validator(schema).check(schema, value, "");
}

json load_schema(const std::string &name) {
    std::ifstream file(source_folder() / "docs" / "schema" / (name + ".json"));
    if (!file) throw std::runtime_error("there is no schema " + name);
    return json::parse(file);
}

} // namespace neurasp::test
