// Charts as figures with inline SVG: lines, and stacked bars. Colours and fonts come from the page's style
// (report_page.cpp); series also differ in the shape of their marks. The attribute `data-hover` holds the values
// that the page's script shows under the pointer.
#pragma once

#include "runs/report_axis.hpp"

#include <string>
#include <vector>

namespace neurasp::runs::report {

struct Point {
    double x = 0.0;
    double y = 0.0; // not finite: a gap
};

enum class ValueStyle { number, share };

struct Series {
    std::string name;
    std::size_t style = 0;      // colour and mark
    std::vector<Point> points;  // in ascending order of x
    bool is_background = false; // a thin line without marks, for many noisy points
};

struct LineChart {
    std::string title;
    std::string x_name; // "epoch", "batch": whole numbers
    ValueStyle style = ValueStyle::number;
    bool from_zero = false;
    std::vector<Series> series; // the legend shows the last value of each
};

// "" if no series has a number to show.
std::string line_chart(const LineChart &chart);

// The parts of one bar, in the order of the names; they add up to its height.
struct Bar {
    std::string name;
    double x = 0.0;
    std::vector<double> parts;
};

struct StackedBars {
    std::string title;
    std::string x_name;
    std::vector<std::string> names;
    std::vector<std::string> legend; // a text that the legend adds to each name
    std::vector<std::string> fills;  // classes of the page's style
    std::vector<Bar> bars;           // in ascending order of x
    double spacing = 1.0;            // between bars
    double unit = 1.0;               // of the axis, in the unit of the parts
};

// "" without bars. Under the pointer, each part is shown as `text_of` formats it.
std::string stacked_bars(const StackedBars &chart, std::string (*text_of)(double));

// At most `most` points: the means of groups of neighbours.
std::vector<Point> thinned(const std::vector<Point> &points, std::size_t most);

} // namespace neurasp::runs::report
