"""Bodies of host wrappers for generated implementation files."""

from pool_code import split

WRAPPER_NAMES = ("$OP_wrapper $OP_wrapper $OP_wrapper $OP_module1_wrapper $OP_module12_wrapper "
                 "$OP_module_x_wrapper host_wrapper other_wrapper _wrapper launch_it run_it "
                 "$OP_entry $OP_Wrapper").split()

CLEAN_WRAPPERS = split('''
    dst = torch.empty_like(src)
    $OP_npu(src, dst)
    return dst
--
    out = torch.empty(8, 64, dtype=torch.float32, device=src.device)
    $OP_npu(src.contiguous(), out)
    return out.reshape(-1)
''')

WRAPPERS = split('''
    for part in range(4):
        $OP_npu(src[part], out)
    return out
--
    out = pypto.zeros([8, 64], dtype=pypto.DT_FP32)
    $OP_npu(src, out)
--
    out = SOME_GLOBAL
    $OP_npu(src, out)
--
    out: torch.Tensor = torch.empty(4)
    $OP_npu(src, out)
--
    out: torch.Tensor
    $OP_npu(src, out)
--
    out, lse_out = torch.empty(4), torch.empty(4)
    $OP_npu(src, out, lse_out)
--
    [out, (output, *b_out)] = make()
    $OP_npu(src, out, output, b_out=b_out)
--
    a = out = torch.empty(4)
    $OP_npu(src, out)
--
    out = out2 = src
    $OP_npu(src, out)
--
    out = b1
    b1 = b2
    b2 = b3
    b3 = b4
    b4 = b5
    b5 = torch.empty(4)
    $OP_npu(src, out)
--
    out = b1
    b1 = b2
    b2 = b3
    b3 = b4
    b4 = b5
    b5 = b6
    b6 = torch.empty(4)
    $OP_npu(src, out)
--
    out = output
    output = out
    $OP_npu(src, out)
--
    out = tmp
    tmp = src
    $OP_npu(src, out)
--
    if (out := torch.empty(3)) is None:
        pass
    ops.$OP_npu(src, out)
--
    for out in xs:
        $OP_npu(src, out)
--
    with torch.no_grad() as out, ctx() as (output, x):
        $OP_npu(src, out, output)
--
    try:
        $OP_npu(src, out)
    except ValueError as out:
        pass
    finally:
        $OP_npu(src, b_out)
--
    import out_a as out, out_b.c
    $OP_npu(src, out, out_b, out_a)
--
    def out():
        pass
    class output:
        pass
    $OP_npu(src, out, output)
--
    match src:
        case {"a": out, **output}:
            pass
        case [*b_out]:
            pass
        case int() as lse_out:
            pass
    $OP_npu(out, output, b_out, lse_out)
--
    def inner(out):
        $OP_npu(src, out)
        out_x = torch.empty(1)
    $OP_npu(src, out_x)
    return inner
--
    out += 1
    global output
    $OP_npu(src, out, output, out_=1, z=out_)
--
    out = torch.empty(4)
    out = missing
    $OP_npu(src, out)
--
    out = missing
    $OP_npu(src, out)
    out = torch.empty(4)
--
    $OP_npu(
        src,
        out,
        lse=lse_out,
    )
    return torch.exp(out)
--
    dst = src.sum(-1) @ src
    out[:] = $OP_npu(src, dst)
    x.out = 1
    pypto.full([1], 2); pt.ones(3); pypto.empty(4); pypto.zeros_like(src)
--
    $OP_npu(src, out)
    for out.x, y[out] in xs:
        pass
--
    return launch_once(src, src)
--
    return helper(src)
--
    while True:
        $OP_npu(src, dst)
--
    def $OP_wrapper():
        for i in range(2):
            $OP_npu(src)
    for i in range(2):
        def f():
            $OP_npu(src)
''')
