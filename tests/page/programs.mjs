// Programs whose runs are shown.

// Long enough that no line breaks; with an end of a script, an attribute's end, text that runs from right to
// left, and what ends a line in a script.
export const NAME = "\u202e\u2028\u2029\n\r</script><script>window.broken = 1</script>\" onclick=\"x" + "n".repeat(10000);

export const HOSTILE = `import pypto, torch
F32 = pypto.DT_FP32
@pypto.frontend.jit
def ${"k".repeat(10000)}(x: pypto.Tensor([pypto.DYN, 16], F32), y: pypto.Tensor([pypto.DYN, 16], F32)):
    pypto.set_vec_tile_shapes(8, 16)
    pypto.set_semantic_label(${JSON.stringify(NAME)})
    for i in pypto.loop(x.shape[0] // 8, name=${JSON.stringify(NAME)}):
        # </script><script>window.broken = 1</script>
        pypto.assemble(pypto.exp(pypto.view(x, [8, 16], [8 * i, 0])), [8 * i, 0], y)
${"k".repeat(10000)}(torch.zeros(40, 16), torch.zeros(40, 16))
`;

// Two operations take one load each: by hand, exp takes 8 × 16 × 4 bytes and makes as many, its result
// waits until add takes it; the load of the next iteration overlaps with add.
export const SUMS = `import pypto, torch
F32 = pypto.DT_FP32
@pypto.frontend.jit
def sums(x: pypto.Tensor([pypto.DYN, 16], F32), y: pypto.Tensor([pypto.DYN, 16], F32)):
    pypto.set_vec_tile_shapes(8, 16)
    for i in pypto.loop(x.shape[0] // 8, name="rows"):
        part = pypto.view(x, [8, 16], [8 * i, 0])
        powers = pypto.exp(part)
        roots = pypto.sqrt(part)
        pypto.assemble(pypto.add(powers, roots), [8 * i, 0], y)
sums(torch.zeros(8, 16), torch.zeros(8, 16))
sums(torch.zeros(40, 16), torch.zeros(40, 16))
`;

// Python takes these bytes in a comment: halves of characters (two lone surrogates, one of them in the wrong
// order), a byte that never stands in UTF-8, and the ends of lines that only some programs know.
export const BYTES = Buffer.concat([Buffer.from("# "), Buffer.from([0xed, 0xa0, 0x80, 0xed, 0xb0, 0x80, 0xff, 0xc2, 0x85]),
  Buffer.from("\u2028\u2029\u202e</script><script>window.broken = 1</script>")]);
