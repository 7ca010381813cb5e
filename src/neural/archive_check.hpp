// Whether a TorchScript file is intact. Torch itself does not check: its reader ignores the checksums of the
// ZIP archive that such a file is, and a changed byte can make it crash.
#pragma once

#include "data/byte_source.hpp"

#include <string>

namespace neurasp::neural {

// Compares every member with its checksum. `name` is the file's, for diagnostics.
// Throws: InputError if the bytes are no complete ZIP archive or if a member is damaged.
void check_archive(data::ByteSpan bytes, const std::string &name);

} // namespace neurasp::neural
