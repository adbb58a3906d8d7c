/* Reads what an ELF object needs; see elf_needs.h. */
#include "environment/elf_needs.h"

#include <elf.h>
#include <unistd.h>

enum {
    MOST_HEADERS = 256,
    MOST_ENTRIES = 4096, /* of the dynamic section; real ones have about fifty */
};

typedef struct Elf {
    Arena *arena;
    int fd;
    Elf64_Phdr *headers;
    uint32_t header_count;
    uint64_t texts; /* file offset of the string table */
} Elf;

static bool read_at(int fd, void *into, size_t size, uint64_t offset)
{
    return offset <= INT64_MAX && pread(fd, into, size, (off_t)offset) == (ssize_t)size;
}

static bool read_headers(Elf *elf, uint16_t *machine)
{
    Elf64_Ehdr head;
    if (!read_at(elf->fd, &head, sizeof head, 0) || memcmp(head.e_ident, ELFMAG, SELFMAG) != 0) {
        return false;
    }
    bool known = head.e_ident[EI_CLASS] == ELFCLASS64 && head.e_ident[EI_DATA] == ELFDATA2LSB;
    if (!known || head.e_phentsize != sizeof(Elf64_Phdr) || head.e_phnum > MOST_HEADERS) {
        return false;
    }
    *machine = head.e_machine;
    elf->header_count = head.e_phnum;
    elf->headers = ARENA_ARRAY(elf->arena, Elf64_Phdr, head.e_phnum + 1U);
    return read_at(elf->fd, elf->headers, head.e_phnum * sizeof(Elf64_Phdr), head.e_phoff);
}

/* The file offset of an address in the loaded object; UINT64_MAX if no segment contains it. */
static uint64_t offset_of(const Elf *elf, uint64_t address)
{
    for (uint32_t i = 0; i < elf->header_count; i++) {
        const Elf64_Phdr *part = &elf->headers[i];
        if (part->p_type == PT_LOAD && address >= part->p_vaddr &&
            address - part->p_vaddr < part->p_filesz) {
            return part->p_offset + (address - part->p_vaddr);
        }
    }
    return UINT64_MAX;
}

/* A string of the string table; empty when it is outside the file or not terminated. */
static Str text_at(const Elf *elf, uint64_t index)
{
    char text[ELF_MOST_TEXT];
    uint64_t offset = elf->texts + index;
    if (offset > INT64_MAX || offset < index) {
        return STR("");
    }
    ssize_t count = pread(elf->fd, text, sizeof text, (off_t)offset);
    const char *end = count <= 0 ? NULL : memchr(text, '\0', (size_t)count);
    return end == NULL ? STR("") : str_copy(elf->arena, (Str){text, (size_t)(end - text)});
}

static void take_entry(const Elf *elf, const Elf64_Dyn *entry, ElfNeeds *needs)
{
    Str *single = entry->d_tag == DT_SONAME    ? &needs->soname
                  : entry->d_tag == DT_RPATH   ? &needs->rpath
                  : entry->d_tag == DT_RUNPATH ? &needs->runpath
                                               : NULL;
    if (single != NULL) {
        *single = text_at(elf, entry->d_un.d_val);
    } else if (entry->d_tag == DT_NEEDED && needs->needed.count < ELF_MOST_NEEDED) {
        Str name = text_at(elf, entry->d_un.d_val);
        if (name.length > 0) {
            VEC_PUSH(elf->arena, &needs->needed, name);
        }
    }
}

static bool read_dynamic(Elf *elf, const Elf64_Phdr *part, ElfNeeds *needs)
{
    size_t count = part->p_filesz / sizeof(Elf64_Dyn);
    count = count > MOST_ENTRIES ? MOST_ENTRIES : count;
    Elf64_Dyn *entries = ARENA_ARRAY(elf->arena, Elf64_Dyn, count + 1);
    if (!read_at(elf->fd, entries, count * sizeof *entries, part->p_offset)) {
        return false;
    }
    elf->texts = UINT64_MAX;
    for (size_t i = 0; i < count && entries[i].d_tag != DT_NULL; i++) {
        if (entries[i].d_tag == DT_STRTAB) {
            elf->texts = offset_of(elf, entries[i].d_un.d_ptr);
        }
    }
    for (size_t i = 0; elf->texts != UINT64_MAX && i < count && entries[i].d_tag != DT_NULL; i++) {
        take_entry(elf, &entries[i], needs);
    }
    return elf->texts != UINT64_MAX;
}

bool elf_needs_read(Arena *arena, int fd, ElfNeeds *needs)
{
    Elf elf = {.arena = arena, .fd = fd};
    *needs = (ElfNeeds){0};
    if (!read_headers(&elf, &needs->machine)) {
        return false;
    }
    for (uint32_t i = 0; i < elf.header_count; i++) {
        if (elf.headers[i].p_type == PT_DYNAMIC) {
            return read_dynamic(&elf, &elf.headers[i], needs);
        }
    }
    return true; /* linked statically: it needs nothing */
}
