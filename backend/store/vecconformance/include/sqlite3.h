/* The C build of sqlite-vec includes sqlite3.h; the SQLite that it is linked with here names its own header so. */
#include <sqlite3-binding.h>
