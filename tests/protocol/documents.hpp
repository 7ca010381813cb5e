// Documents that protocol writes, each with the schema that it must conform to. Together they have every member
// that the schemas list.
#pragma once

#include <nlohmann/json.hpp>

#include <string>
#include <vector>

namespace neurasp::test {

struct Document {
    std::string schema; // docs/schema/<schema>.json
    nlohmann::json value;
};

std::vector<Document> answer_documents();     // of questions
std::vector<Document> run_documents();        // of training, evaluation, prediction
std::vector<Document> diagnostic_documents(); // on standard error

} // namespace neurasp::test
