// A strict parser for the tests of the report. Browsers read a page that it accepts in the same way whether
// they take it for HTML or for XML.
#pragma once

#include <algorithm>
#include <cstddef>
#include <map>
#include <set>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace neurasp::runs {

struct Element {
    std::string name;
    std::map<std::string, std::string> attributes;
    std::string text; // of everything inside it

    std::string attribute(const std::string &key) const {
        const auto found = attributes.find(key);
        return found == attributes.end() ? "" : found->second;
    }
};

class PageParser {
  public:
    // Throws: std::runtime_error if the page is not well-formed.
    explicit PageParser(std::string_view page) : rest_(page) {
        expect("<!DOCTYPE html>\n");
        while (!rest_.empty()) step();
        if (!open_.empty() || roots_ != 1) fail("not one whole root element");
    }

    // In the order of their beginnings.
    const std::vector<Element> &elements() const { return elements_; }

    std::vector<Element> all(const std::string &name, const std::string &css_class = "") const {
        std::vector<Element> found;
        for (const Element &element : elements_) {
            const std::string classes = " " + element.attribute("class") + " ";
            if (element.name == name &&
                (css_class.empty() || classes.find(" " + css_class + " ") != std::string::npos)) {
                found.push_back(element);
            }
        }
        return found;
    }

    std::vector<std::string> texts(const std::string &name,
                                   const std::string &css_class = "") const {
        std::vector<std::string> found;
        for (const Element &element : all(name, css_class)) found.push_back(element.text);
        return found;
    }

  private:
    [[noreturn]] void fail(const std::string &why) const {
        throw std::runtime_error(why + " before: " + std::string(rest_.substr(0, 80)));
    }

    void expect(std::string_view text) {
        if (!rest_.starts_with(text)) fail("expected " + std::string(text));
        rest_.remove_prefix(text.size());
    }

    std::string_view take_until(std::string_view characters) {
        const std::size_t end = std::min(rest_.find_first_of(characters), rest_.size());
        const std::string_view taken = rest_.substr(0, end);
        rest_.remove_prefix(end);
        return taken;
    }

    std::string take_name() {
        const std::string name(take_until(" \n\t/>=<\"'&"));
        if (name.empty()) fail("expected a name");
        return name;
    }

    std::string unescaped(std::string_view text) const {
        static const std::map<std::string_view, char> entities = {
            {"&amp;", '&'}, {"&lt;", '<'}, {"&gt;", '>'}, {"&quot;", '"'}, {"&#39;", '\''}};
        std::string result;
        while (!text.empty()) {
            const unsigned char first = static_cast<unsigned char>(text.front());
            if (first < 0x20 && first != '\n' && first != '\t' && first != '\r') {
                fail("a control character");
            }
            const std::size_t length = first == '&' ? text.find(';') + 1 : 1;
            if (first != '&') {
                result += text.front();
            } else if (const auto found = entities.find(text.substr(0, length));
                       found != entities.end()) {
                result += found->second;
            } else {
                fail("an unknown entity");
            }
            text.remove_prefix(length);
        }
        return result;
    }

    void step() {
        if (!rest_.starts_with('<')) {
            const std::string text = unescaped(take_until("<"));
            if (open_.empty() && text.find_first_not_of(" \n") != std::string::npos) {
                fail("text outside");
            }
            for (const std::size_t index : open_) elements_[index].text += text;
        } else if (rest_.starts_with("</")) {
            expect("</");
            const std::string name = take_name();
            if (open_.empty() || elements_[open_.back()].name != name) fail("not open: " + name);
            expect(">");
            open_.pop_back();
        } else {
            begin_element();
        }
    }

    void begin_element() {
        expect("<");
        Element element{take_name(), {}, {}};
        while (rest_.starts_with(' ') || rest_.starts_with('\n')) {
            rest_.remove_prefix(1);
            const std::string key = take_name();
            expect("=\"");
            const std::string_view value = take_until("\"<");
            expect("\"");
            if (!element.attributes.emplace(key, unescaped(value)).second) fail("twice: " + key);
        }
        // In HTML, these elements have no end tag, and "/>" would not close any other.
        static const std::set<std::string> childless = {"meta", "img",     "line",  "rect",
                                                        "path", "polygon", "circle"};
        const bool closed = rest_.starts_with('/');
        if (closed != childless.contains(element.name)) fail("wrong end of <" + element.name);
        expect(closed ? "/>" : ">");
        if (open_.empty()) ++roots_;
        if (!closed) open_.push_back(elements_.size());
        elements_.push_back(std::move(element));
    }

    std::string_view rest_;
    std::vector<Element> elements_;
    std::vector<std::size_t> open_; // of elements_
    int roots_ = 0;
};

} // namespace neurasp::runs
