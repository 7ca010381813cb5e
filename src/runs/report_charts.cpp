// Charts as SVG text: axes first, then each series as one path, broken at values that cannot be drawn, with marks
// while there are few enough points to tell them apart. Coordinates are in the units of the view box, so the
// browser scales the drawing. The values under the pointer travel as JSON in an attribute; the script of the
// page (report_page.cpp) only looks up the nearest. Long series are thinned to means of neighbouring points
// before they come here, so the size of a page does not grow with the number of batches.
#include "runs/report_charts.hpp"

#include "runs/report_text.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <limits>

namespace neurasp::runs::report {

namespace {

using Json = nlohmann::ordered_json;

// The drawing, in units of its view box.
constexpr double width = 480;
constexpr double height = 230;
constexpr double plot_left = 60;
constexpr double plot_right = width - 14;
constexpr double plot_top = 10;
constexpr double plot_bottom = height - 42;
constexpr std::size_t series_styles = 6; // colours in the page's style
constexpr std::size_t most_marks = 40;   // on a line; more would clutter it

struct Plane {
    Axis x;
    Axis y;

    double left(double value) const {
        return plot_left + x.position(value) * (plot_right - plot_left);
    }
    double top(double value) const {
        return plot_bottom - y.position(value) * (plot_bottom - plot_top);
    }
};

std::string value_text(double value, ValueStyle style) {
    return style == ValueStyle::share ? share_text(value) : number_text(value);
}

bool is_shown(const Point &point) { return is_drawable(point.x) && is_drawable(point.y); }

// A mark around (x, y); each style of series has its own shape.
std::string mark(std::size_t style, double x, double y) {
    const auto polygon = [&](std::initializer_list<std::pair<double, double>> corners) {
        std::string points;
        for (const auto &[dx, dy] : corners)
            points += fmt::format("{:.1f},{:.1f} ", x + dx, y + dy);
        points.pop_back();
        return fmt::format(R"(<polygon points="{}"/>)", points);
    };
    switch (style % 4) {
    case 0: return fmt::format(R"(<circle cx="{:.1f}" cy="{:.1f}" r="3.5"/>)", x, y);
    case 1: return polygon({{-3.2, -3.2}, {3.2, -3.2}, {3.2, 3.2}, {-3.2, 3.2}});
    case 2: return polygon({{0, -4.2}, {4.2, 3.2}, {-4.2, 3.2}});
    default: return polygon({{0, -4.6}, {4.6, 0}, {0, 4.6}, {-4.6, 0}});
    }
}

std::string grid(const Plane &plane, TickStyle x_style, TickStyle y_style,
                 const std::string &x_name) {
    std::string svg = R"(<g class="grid">)";
    for (const double tick : plane.y.ticks()) {
        svg += fmt::format(R"(<line x1="{}" x2="{}" y1="{:.1f}" y2="{:.1f}"/>)", plot_left,
                           plot_right, plane.top(tick), plane.top(tick));
        svg += fmt::format(R"(<text class="y" x="{}" y="{:.1f}">{}</text>)", plot_left - 7,
                           plane.top(tick) + 4, plane.y.tick_text(tick, y_style));
    }
    for (const double tick : plane.x.ticks()) {
        svg += fmt::format(R"(<text class="x" x="{:.1f}" y="{}">{}</text>)", plane.left(tick),
                           plot_bottom + 17, plane.x.tick_text(tick, x_style));
    }
    svg += fmt::format(R"(<text class="x name" x="{}" y="{}">{}</text></g>)",
                       (plot_left + plot_right) / 2, height - 6, escape(x_name));
    return svg;
}

std::string class_of(const Series &series) {
    return fmt::format("series s{}{}", series.style % series_styles,
                       series.is_background ? " thin" : "");
}

// A line through the points, broken at gaps, and the marks.
std::string drawn(const Series &series, const Plane &plane) {
    std::string path;
    std::string marks;
    const bool every_mark = !series.is_background && series.points.size() <= most_marks;
    bool pen_is_down = false;
    for (std::size_t i = 0; i < series.points.size(); ++i) {
        const Point &point = series.points[i];
        const bool shown = is_shown(point);
        if (!shown) {
            pen_is_down = false;
            continue;
        }
        const double x = plane.left(point.x);
        const double y = plane.top(point.y);
        const bool goes_on = i + 1 < series.points.size() && is_shown(series.points[i + 1]);
        // A point between two gaps has no line, so only a mark can show it.
        if (every_mark || (!pen_is_down && !goes_on)) marks += mark(series.style, x, y);
        path += fmt::format("{}{:.1f} {:.1f}", pen_is_down ? "L" : "M", x, y);
        pen_is_down = true;
    }
    return fmt::format(R"(<g class="{}"><path d="{}"/>{}</g>)", class_of(series), path, marks);
}

double tenth(double value) { return std::round(value * 10) / 10; }

std::string figure(const std::string &title, const std::string &legend, const std::string &drawing,
                   const Json &hover) {
    return fmt::format(
        R"(<figure class="card"><figcaption>{0}</figcaption>{1}
<svg viewBox="0 0 {2} {3}" role="img" aria-label="{0}" data-hover="{4}">
{5}
<line class="pointer" x1="0" x2="0" y1="{6}" y2="{7}" visibility="hidden"/></svg></figure>
)",
        escape(title), legend, width, height,
        escape(hover.dump(-1, ' ', false, Json::error_handler_t::replace)), drawing, plot_top,
        plot_bottom);
}

std::string legend_entry(const std::string &style, const std::string &swatch,
                         const std::string &name, const std::string &value) {
    return fmt::format(
        R"(<li><svg class="swatch" viewBox="0 0 22 12" aria-hidden="true"><g class="{}">{}</g></svg>{} <b>{}</b></li>)",
        style, swatch, escape(name), escape(value));
}

std::string legend_of(const LineChart &chart) {
    std::string entries;
    for (const Series &series : chart.series) {
        const double last = series.points.empty() ? std::numeric_limits<double>::quiet_NaN()
                                                  : series.points.back().y;
        const std::string swatch =
            R"(<path d="M1 6L21 6"/>)" + (series.is_background ? "" : mark(series.style, 11, 6));
        entries +=
            legend_entry(class_of(series), swatch, series.name, value_text(last, chart.style));
    }
    return R"(<ul class="legend">)" + entries + "</ul>";
}

// For each series: its name, the class of its colour, and its points with their texts.
Json hover_of(const LineChart &chart, const Plane &plane) {
    Json all = Json::array();
    for (const Series &series : chart.series) {
        Json points = Json::array();
        for (const Point &point : series.points) {
            if (!is_shown(point)) continue;
            points.push_back({tenth(plane.left(point.x)),
                              chart.x_name + " " + number_text(std::round(point.x)),
                              value_text(point.y, chart.style)});
        }
        all.push_back({{"name", series.name},
                       {"style", fmt::format("s{}", series.style % series_styles)},
                       {"points", std::move(points)}});
    }
    return all;
}

void extend(Range &range, double value) {
    range = {std::min(range.low, value), std::max(range.high, value)};
}

} // namespace

std::string line_chart(const LineChart &chart) {
    constexpr double infinity = std::numeric_limits<double>::infinity();
    Range x{infinity, -infinity};
    Range y{infinity, -infinity};
    for (const Series &series : chart.series) {
        for (const Point &point : series.points) {
            if (!is_shown(point)) continue;
            extend(x, point.x);
            extend(y, point.y);
        }
    }
    if (!(x.low <= x.high)) return "";
    if (chart.from_zero) extend(y, 0);
    const TickStyle y_style =
        chart.style == ValueStyle::share ? TickStyle::percent : TickStyle::number;
    const Plane plane{tight_axis(x, 6, TickStyle::whole), rounded_axis(y, 4, y_style)};
    std::string svg = grid(plane, TickStyle::whole, y_style, chart.x_name);
    for (const Series &series : chart.series) svg += "\n" + drawn(series, plane);
    return figure(chart.title, legend_of(chart), svg, hover_of(chart, plane));
}

std::string stacked_bars(const StackedBars &chart, std::string (*text_of)(double)) {
    if (chart.bars.empty()) return "";
    Range y{0, 0};
    for (const Bar &bar : chart.bars) {
        double sum = 0;
        for (const double part : bar.parts) sum += is_drawable(part) ? std::max(part, 0.0) : 0;
        extend(y, sum / chart.unit);
    }
    const Range x{chart.bars.front().x - chart.spacing / 2,
                  chart.bars.back().x + chart.spacing / 2};
    const Plane plane{tight_axis(x, 6, TickStyle::whole), rounded_axis(y, 4, TickStyle::number)};
    const double spacing = plane.left(chart.spacing) - plane.left(0);
    const double thickness = std::min(spacing > 6 ? 0.75 * spacing : spacing, 48.0);

    std::string svg = grid(plane, TickStyle::whole, TickStyle::number, chart.x_name) + "\n<g>";
    std::vector<Json> points(chart.names.size(), Json::array());
    for (const Bar &bar : chart.bars) {
        double below = 0;
        for (std::size_t i = 0; i < bar.parts.size(); ++i) {
            points[i].push_back({tenth(plane.left(bar.x)), bar.name, text_of(bar.parts[i])});
            const double part = bar.parts[i] / chart.unit;
            if (!is_drawable(part) || part <= 0) continue;
            svg += fmt::format(
                R"(<rect class="{}" x="{:.1f}" y="{:.2f}" width="{:.1f}" height="{:.2f}"/>)",
                chart.fills[i], plane.left(bar.x) - thickness / 2, plane.top(below + part),
                thickness, plane.top(below) - plane.top(below + part));
            below += part;
        }
    }
    svg += "</g>";
    std::string legend;
    Json hover = Json::array();
    for (std::size_t i = 0; i < chart.names.size(); ++i) {
        legend += legend_entry(chart.fills[i], R"(<rect x="4" y="0" width="14" height="12"/>)",
                               chart.names[i], chart.legend[i]);
        hover.push_back({{"name", chart.names[i]},
                         {"style", chart.fills[i]},
                         {"points", std::move(points[i])}});
    }
    return figure(chart.title, R"(<ul class="legend">)" + legend + "</ul>", svg, hover);
}

std::vector<Point> thinned(const std::vector<Point> &points, std::size_t most) {
    const std::size_t group = (points.size() + most - 1) / most;
    if (group <= 1) return points;
    std::vector<Point> result;
    for (std::size_t begin = 0; begin < points.size(); begin += group) {
        const std::size_t end = std::min(begin + group, points.size());
        double sum = 0;
        double count = 0;
        for (std::size_t i = begin; i < end; ++i) {
            if (!is_drawable(points[i].y)) continue;
            sum += points[i].y;
            ++count;
        }
        result.push_back({points[end - 1].x,
                          count > 0 ? sum / count : std::numeric_limits<double>::quiet_NaN()});
    }
    return result;
}

} // namespace neurasp::runs::report
