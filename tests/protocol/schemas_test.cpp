// Everything that protocol writes conforms to docs/schema, and every schema there rejects other documents.
#include "protocol/documents.hpp"
#include "support/schema.hpp"
#include "support/source_folder.hpp"

#include <gtest/gtest.h>

#include <filesystem>
#include <set>

namespace neurasp::test {
namespace {

using nlohmann::json;

std::vector<Document> all_documents() {
    std::vector<Document> all = answer_documents();
    for (const auto &more : {run_documents(), diagnostic_documents()}) {
        all.insert(all.end(), more.begin(), more.end());
    }
    return all;
}

// The part of the schema that describes the document's objects: the items if it is a list, the matching alternative
// if there are several.
json object_schema(const json &schema, const json &value) {
    if (value.is_array()) return schema.at("items");
    if (!schema.contains("anyOf")) return schema;
    return schema.at("$defs").at(value.at("event").get<std::string>());
}

json &first_object(json &value) { return value.is_array() ? value.front() : value; }

// A document with its schema, which must reject changed versions of it. `change` makes a change and describes it.
class Strict {
  public:
    explicit Strict(const Document &document)
        : document_(document), schema_(load_schema(document.schema)) {}

    const json &schema() const { return schema_; }
    template <class Change> void expect_refused(Change change) const {
        json changed = document_.value;
        const std::string what = change(changed);
        EXPECT_NE(schema_violation(schema_, changed), "") << document_.schema << ": " << what;
    }

  private:
    const Document &document_;
    json schema_;
};

TEST(Schemas, DocumentsFit) {
    for (const Document &document : all_documents()) {
        EXPECT_EQ(schema_violation(load_schema(document.schema), document.value), "")
            << document.schema << ": " << document.value.dump();
    }
}

TEST(Schemas, EverySchemaHasADocument) {
    std::set<std::string> written;
    for (const Document &document : all_documents()) written.insert(document.schema);
    written.insert("probs"); // is read, not written
    std::set<std::string> described;
    for (const auto &entry :
         std::filesystem::directory_iterator(source_folder() / "docs" / "schema")) {
        described.insert(entry.path().stem().string());
    }
    EXPECT_EQ(written, described);
}

TEST(Schemas, EveryMemberThatASchemaListsIsInSomeDocument) {
    std::map<std::string, std::set<std::string>> members;
    for (const Document &document : all_documents()) {
        if (!document.value.is_object()) continue;
        for (const auto &[key, value] : document.value.items()) {
            members[document.schema].insert(key);
        }
    }
    for (const auto &[name, keys] : members) {
        const json listed = load_schema(name).value("properties", json::object());
        for (const auto &[key, schema] : listed.items()) {
            EXPECT_TRUE(keys.contains(key)) << name << ": " << key;
        }
    }
}

TEST(Schemas, ADocumentWithoutARequiredMemberIsRejected) {
    for (const Document &document : all_documents()) {
        const Strict strict(document);
        const json required = object_schema(strict.schema(), document.value).at("required");
        EXPECT_FALSE(required.empty()) << document.schema;
        for (const auto &key : required) {
            strict.expect_refused([&](json &value) {
                first_object(value).erase(key.get<std::string>());
                return "without " + key.get<std::string>();
            });
        }
    }
}

TEST(Schemas, ADocumentWithAnUnknownMemberIsRejected) {
    for (const Document &document : all_documents()) {
        Strict(document).expect_refused([](json &value) {
            first_object(value)["surprise"] = 1;
            return "with a surprise";
        });
    }
}

// No schema allows an object with a list in it where a text, a number or an empty list belongs.
TEST(Schemas, ADocumentWithAValueOfTheWrongTypeIsRejected) {
    for (const Document &document : all_documents()) {
        const Strict strict(document);
        const json places = document.value.flatten();
        for (const auto &[place, leaf] : places.items()) {
            // the event's settings have a schema of their own
            if (place.starts_with("/configuration/")) continue;
            strict.expect_refused([&](json &value) {
                value[json::json_pointer(place)] = {{"wrong", {json::array()}}};
                return place + " of another type";
            });
        }
    }
}

} // namespace
} // namespace neurasp::test
