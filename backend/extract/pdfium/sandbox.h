// The C side of build/native/src/pdfium.rs. What fails sets failure to a text for fanous_pdfium_free.
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct fanous_pdfium_library fanous_pdfium_library;
typedef struct fanous_pdfium_sandbox fanous_pdfium_sandbox;

// fanous_pdfium_read fills size bytes from an offset of a file, or says that it cannot.
typedef bool (*fanous_pdfium_read)(uintptr_t file, uint32_t offset, uint8_t *to, uint32_t size);

typedef struct {
	uint32_t unicode, flags;
	float left, top, right, bottom;
	double x, y;
} fanous_pdfium_character;

fanous_pdfium_library *fanous_pdfium_load(char **failure);
void fanous_pdfium_unload(fanous_pdfium_library *library);
// fanous_pdfium_held gives the bytes that the memories of all sandboxes have.
size_t fanous_pdfium_held(const fanous_pdfium_library *library);

fanous_pdfium_sandbox *fanous_pdfium_start(const fanous_pdfium_library *library, size_t limit, fanous_pdfium_read read, uintptr_t file, char **failure);
void fanous_pdfium_end(fanous_pdfium_sandbox *sandbox);
// fanous_pdfium_wanted_more says whether it was refused memory beyond its limit.
bool fanous_pdfium_wanted_more(const fanous_pdfium_sandbox *sandbox);
// fanous_pdfium_function gives the number by which a function of pdfium is called, or -1 where there is none.
int32_t fanous_pdfium_function(fanous_pdfium_sandbox *sandbox, const char *name);
// fanous_pdfium_call takes the arguments from slots, of which there is at least one, and leaves the result in the first.
bool fanous_pdfium_call(fanous_pdfium_sandbox *sandbox, uint32_t function, uint64_t *slots, size_t count, char **failure);
// fanous_pdfium_memory is where the sandbox's memory begins, until the next call.
uint8_t *fanous_pdfium_memory(fanous_pdfium_sandbox *sandbox, size_t *size);
bool fanous_pdfium_characters(fanous_pdfium_sandbox *sandbox, uint32_t page, uint32_t from, fanous_pdfium_character *out, size_t count, char **failure);

void fanous_pdfium_free(char *failure);
