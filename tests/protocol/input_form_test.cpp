// The form of a network's inputs as text and back.
#include "protocol/input_form.hpp"

#include <gtest/gtest.h>

namespace neurasp::protocol {
namespace {

TEST(InputFormJson, IsReadBackAsItWas) {
    const data::InputForm form{{3, 28, 20},       true, data::ColorKind::rgb, 255.0,
                               {0.1, 0.25, 1e-3}, {0.5}};
    EXPECT_EQ(input_form_from_json(input_form_to_json(form), "digit.pt"), form);
}

TEST(InputFormJson, IsNotThereInFilesFromElsewhere) {
    EXPECT_EQ(input_form_from_json("", "digit.pt"), std::nullopt);
}

TEST(InputFormJson, IsRefusedIfItCannotBeUsed) {
    const std::string whole = input_form_to_json({{1, 2}, false, {}, 1.0, {0.0}, {1.0}});
    const auto changed = [&](const std::string &from, const std::string &to) {
        std::string text = whole;
        return text.replace(text.find(from), from.size(), to);
    };
    std::string deep(100'000, '[');
    for (const std::string &text :
         {whole.substr(0, whole.size() / 2), changed("\"shape\"", "\"shap\""),
          changed("1,2", "-1,2"), changed("1,2", "0,2"), changed("1,2", ""),
          changed("\"scale\": 1.0", "\"scale\": 0"), changed("stored", "pink"),
          changed("\"mean\": [0.0]", "\"mean\": [0,0,0]"), std::string("{}"), std::string("7"),
          deep}) {
        try {
            input_form_from_json(text, "digit.pt");
            FAIL() << text;
        } catch (const InputError &error) {
            EXPECT_EQ(error.diagnostics().front().code, "network-file");
            EXPECT_EQ(error.diagnostics().front().location.file, "digit.pt");
        }
    }
}

} // namespace
} // namespace neurasp::protocol
