// Reads the pictures of a folder in the order of their names into one array.
#include "data/image_folder.hpp"

#include "data/data_error.hpp"

#include <algorithm>
#include <filesystem>

namespace neurasp::data {

namespace {

namespace fs = std::filesystem;

enum class Wanted { pictures, folders };

bool is_picture_name(const std::string &name) {
    const std::string extension = extension_of(name);
    return extension == "png" || extension == "jpg" || extension == "jpeg";
}

std::vector<std::string> sorted_entries(const fs::path &folder, Wanted wanted) {
    std::error_code error;
    fs::directory_iterator entry(folder, error);
    std::vector<std::string> names;
    for (; !error && entry != fs::directory_iterator(); entry.increment(error)) {
        const std::string name = entry->path().filename().string();
        std::error_code gone; // a link to nothing is neither a picture nor a folder
        const bool fits = wanted == Wanted::folders
                              ? entry->is_directory(gone)
                              : entry->is_regular_file(gone) && is_picture_name(name);
        if (fits && !name.starts_with('.')) names.push_back(name);
    }
    if (error) {
        throw EnvironmentError("cannot read the folder '" + folder.string() +
                               "': " + error.message());
    }
    std::sort(names.begin(), names.end());
    return names;
}

// Appends pictures, which must all have the same shape.
class Collector {
  public:
    Collector(std::string folder, const ImageFolderOptions &options)
        : folder_(std::move(folder)), options_(options) {}

    void add(const std::string &name, std::int64_t label) {
        const Array image = read_image((fs::path(folder_) / name).string(), options_.image);
        if (result_.names.empty()) shape_ = image.shape();
        if (image.shape() != shape_) {
            throw data_error("data-shape", image.name(),
                             "this picture is " + shape_text(image.shape()) + ", but '" +
                                 result_.names.front() + "' is " + shape_text(shape_),
                             "all pictures of a folder must have the same size and be all grey or "
                             "all in colour");
        }
        const auto &pixels = std::get<Bytes>(image.elements());
        if (pixels.size() > options_.image.most_bytes - pixels_.size()) {
            throw data_error("data-too-large", folder_,
                             "together, the pictures have more than " +
                                 std::to_string(options_.image.most_bytes) + " bytes");
        }
        pixels_.insert(pixels_.end(), pixels.begin(), pixels.end());
        result_.names.push_back(name);
        labels_.push_back(label);
    }

    ImageFolder take(std::vector<std::string> classes) {
        if (result_.names.empty()) {
            throw data_error("data-shape", folder_, "the folder holds no pictures",
                             options_.class_folders
                                 ? "expected a subfolder with *.png, *.jpg or *.jpeg for each class"
                                 : "expected files *.png, *.jpg or *.jpeg");
        }
        shape_.insert(shape_.begin(), result_.names.size());
        result_.images = Array(shape_, std::move(pixels_), folder_);
        result_.classes = std::move(classes);
        if (options_.class_folders) {
            const std::size_t count = labels_.size();
            result_.labels = Array({count}, std::move(labels_), folder_);
        }
        return std::move(result_);
    }

  private:
    std::string folder_;
    const ImageFolderOptions &options_;
    ImageFolder result_;
    Shape shape_;
    Bytes pixels_;
    std::vector<std::int64_t> labels_;
};

} // namespace

ImageFolder read_image_folder(const std::string &path, const ImageFolderOptions &options) {
    Collector collector(path, options);
    if (!options.class_folders) {
        for (const std::string &name : sorted_entries(path, Wanted::pictures))
            collector.add(name, 0);
        return collector.take({});
    }
    std::vector<std::string> classes = sorted_entries(path, Wanted::folders);
    for (std::size_t label = 0; label < classes.size(); ++label) {
        const std::string &folder = classes[label];
        for (const std::string &name : sorted_entries(fs::path(path) / folder, Wanted::pictures)) {
            collector.add(folder + "/" + name, static_cast<std::int64_t>(label));
        }
    }
    return collector.take(std::move(classes));
}

} // namespace neurasp::data
