// A folder of pictures as one array, with the names of the files and, on request, its subfolders as classes.
#pragma once

#include "data/image.hpp"

namespace neurasp::data {

struct ImageFolder {
    Array images;                     // n x height x width, or n x height x width x 3
    std::vector<std::string> names;   // of the files, relative to the folder
    std::vector<std::string> classes; // the subfolders
    Array labels;                     // the class of each picture; empty without class folders
};

struct ImageFolderOptions {
    ImageOptions image;
    bool class_folders = false; // pictures lie in subfolders, each of which is a class
};

// The files *.png, *.jpg, *.jpeg in the order of their names, byte by byte (so image10 precedes image2);
// with class folders, folder by folder. Other files and names that begin with a dot are left out.
// Throws: EnvironmentError if the folder cannot be read, InputError if it holds no pictures, if one is
// damaged, or if they differ in size or colour (the first that differs is named).
ImageFolder read_image_folder(const std::string &path, const ImageFolderOptions &options = {});

} // namespace neurasp::data
