/* Advice table: the rows; see advice_table.h. A row says where to look in the kernel, and nothing
 * about the reference. */
#include "harness/judge/advice_table.h"

/* clang-format off */
const AdviceRow advice_table[] = {
    /* --- what an output looks like where it differs */
    {ADVICE_LIKENESS, "never_written",
     {"no launch has written these elements", "没有任何 launch 写过这些元素"},
     {"Write them: look whether the loop reaches the last block, and whether each path of the "
      "kernel ends in an assemble or a move to this output.",
      "请写出这些元素：检查循环是否覆盖最后一块，以及 kernel 的每条路径是否都以 assemble 或对该输出的写入结束。"}},
    {ADVICE_LIKENESS, "not_finite",
     {"all of them are NaN or infinite", "这些元素全是 NaN 或无穷大"},
     {"Memory that nobody has written is NaN in the simulator: look for elements that no iteration "
      "writes, for memory that is read before it is written, a division by zero, the log or rsqrt "
      "of 0, exp without subtracting the maximum, and for padding that takes part in a reduction.",
      "模拟器中未写入的内存为 NaN：检查是否有元素未被任何迭代写入、是否读取了尚未写入的内存、除以零、对 0 取 log 或 rsqrt、exp 之前没有减去最大值，以及填充部分是否参与了归约。"}},
    {ADVICE_LIKENESS, "zeros",
     {"all of them are 0", "这些元素全是 0"},
     {"Look whether the result is written back (assemble, name[:] = …) on this path, and whether a "
      "mask, an initial value or a loop without iterations leaves 0.",
      "检查该路径是否写回了结果（assemble、name[:] = …），以及是否因掩码、初始值或循环次数为零而留下 0。"}},
    {ADVICE_LIKENESS, "one_number",
     {"all of them are the same number", "这些元素是同一个数"},
     {"Look for a reduction over too many axes, a scalar where a tensor belongs, and an offset "
      "that does not depend on the loop.",
      "检查归约的轴是否过多、是否把张量写成了标量、偏移是否没有随循环变化。"}},
    {ADVICE_LIKENESS, "another_output",
     {"it is what {} should be", "它正是 {} 应有的结果"},
     {"Two outputs are swapped: compare the order of the wrapper's return statement and of the "
      "kernel's parameters with the contract.",
      "两个输出对调了：对照约定检查 wrapper 的返回顺序和 kernel 的参数顺序。"}},
    {ADVICE_LIKENESS, "sign",
     {"it is the reference with the opposite sign", "它是符号相反的参考结果"},
     {"Look for a subtraction whose operands are swapped, and for a negation too many or too few.",
      "检查减法的两个操作数是否写反、取负是否多了或少了一次。"}},
    {ADVICE_LIKENESS, "factor",
     {"it is the reference times {}", "它是参考结果的 {} 倍"},
     {"A scale is wrong, missing or applied twice: look at 1/sqrt(width), at the count a mean "
      "divides by, and at constants.",
      "某个缩放系数有误、漏乘或重复：检查 1/sqrt(宽度)、求均值时的除数以及常量。"}},
    {ADVICE_LIKENESS, "offset",
     {"it is the reference plus {}", "它是参考结果加上 {}"},
     {"A constant is added: look at initial values of accumulators, at epsilon and at a bias.",
      "多加了一个常数：检查累加器初值、epsilon 和 bias。"}},
    {ADVICE_LIKENESS, "transposed",
     {"it is the reference with axes {} swapped", "它是交换了轴{}的参考结果"},
     {"Look at a_trans and b_trans of matmul, at transpose and permute, and at the order of the "
      "offsets of view and assemble.",
      "检查 matmul 的 a_trans、b_trans，transpose、permute，以及 view 和 assemble 的偏移顺序。"}},
    {ADVICE_LIKENESS, "reversed",
     {"it is the reference with the {} in reverse order", "它是{}顺序颠倒的参考结果"},
     {"Look at offsets that count down, and at the direction of a scan or a sort.",
      "检查是否有递减的偏移，以及扫描或排序的方向。"}},
    {ADVICE_LIKENESS, "shifted",
     {"each place has what belongs {}", "每个位置上是本应在其后移{}处的结果"},
     {"Offsets are off: compare start and step of the loop with the offsets of view and of "
      "assemble.",
      "偏移有误：对照循环的起点与步长，检查 view 和 assemble 的偏移。"}},
    {ADVICE_LIKENESS, "repeated",
     {"the result repeats every {}", "结果每{}重复一次"},
     {"Each block gets the data of the first one: the loop index is missing in an offset.",
      "每一块都用了第一块的数据：某个偏移里漏了循环下标。"}},
    {ADVICE_LIKENESS, "accumulated",
     {"each {} also contain what came before", "每{}还包含了之前的结果"},
     {"An accumulator keeps its value from the block before: set it anew inside the loop over "
      "blocks.",
      "累加器保留了上一块的值：请在块循环内部重新初始化。"}},
    {ADVICE_LIKENESS, "row_factor",
     {"each row is the reference times a number of its own", "每一行是参考结果乘以各自的系数"},
     {"A number for each row is wrong: look at the reduction over the row (sum, maximum, mean, "
      "norm), at epsilon, and whether padded columns take part.",
      "每行的系数有误：检查行归约（sum、max、均值、范数）、epsilon，以及填充列是否参与。"}},
    {ADVICE_LIKENESS, "column_factor",
     {"each column is the reference times a number of its own", "每一列是参考结果乘以各自的系数"},
     {"A weight for each column is wrong or missing: look at its offset and at broadcasts along "
      "the rows.",
      "每列的权重有误或缺失：检查其偏移以及沿行方向的广播。"}},
    {ADVICE_LIKENESS, "row_offset",
     {"each row is the reference plus a number of its own", "每一行是参考结果加上各自的数"},
     {"A number for each row is missing in a sum: look at the maximum, the mean or the logarithm "
      "of the sum that is added or subtracted.",
      "和式中每行的某一项有误：检查加上或减去的最大值、均值或 log-sum。"}},
    {ADVICE_LIKENESS, "column_offset",
     {"each column is the reference plus a number of its own", "每一列是参考结果加上各自的数"},
     {"A bias is wrong or missing: look at its offset and at broadcasts along the rows.",
      "bias 有误或缺失：检查其偏移以及沿行方向的广播。"}},
    {ADVICE_LIKENESS, "small_error",
     {"the error is small: {} of the reference's norm", "误差很小：为参考结果范数的 {}"},
     {"Look for a narrower dtype on the way (cast, the dtype of matmul's result, a sum in 16 bits), "
      "for an approximation, for epsilon, and for one small term too many or too few (an edge of a "
      "mask, an iteration); pypto-lint tolerance CASE tells whether any kernel could meet the "
      "tolerance.",
      "检查中间是否用了更窄的 dtype（cast、matmul 结果的 dtype、16 位累加）、近似公式、epsilon，以及是否多算或漏算一个小项（掩码边缘、某次迭代）；"
      "pypto-lint tolerance CASE 说明是否有 kernel 能满足该容差。"}},

    /* --- where it differs */
    {ADVICE_PLACE, "one_element", {"in one element only", "只有一个元素"},
     {"Look at the arithmetic of indices at this very place.", "检查该位置的下标计算。"}},
    {ADVICE_PLACE, "everywhere", {"all over", "各处都有"},
     {"The difference is not at an edge: compare the kernel's steps with the formula; --inspect NAME "
      "finds the first iteration that differs.",
      "与边界无关：逐步对照公式检查 kernel；--inspect NAME 找出第一个出现差异的迭代。"}},
    {ADVICE_PLACE, "diagonal", {"on one diagonal only", "只在一条对角线上"},
     {"Look at the diagonal of tril, triu or another mask: it is off by one.",
      "检查 tril、triu 或其他掩码的对角线参数：相差一。"}},
    {ADVICE_PLACE, "upper_triangle", {"above the diagonal only", "只在对角线以上"},
     {"A mask is missing, or hides the wrong side.", "缺少掩码，或遮住了错误的一侧。"}},
    {ADVICE_PLACE, "lower_triangle", {"below the diagonal only", "只在对角线以下"},
     {"A mask is missing, or hides the wrong side.", "缺少掩码，或遮住了错误的一侧。"}},
    {ADVICE_PLACE, "reference_zero", {"only where the reference is 0", "只在参考结果为 0 处"},
     {"Masked or padded elements do not become 0: look at where, at masks and at valid_shape.",
      "被遮盖或填充的元素没有置 0：检查 where、掩码和 valid_shape。"}},
    {ADVICE_PLACE, "reference_large", {"only where the reference is largest", "只在参考结果最大处"},
     {"Large numbers overflow or lose digits: look at 16-bit dtypes, exp without subtracting the "
      "maximum, and clamps.",
      "大数溢出或丢失精度：检查 16 位 dtype、未减最大值的 exp 以及截断。"}},
    {ADVICE_PLACE, "last", {"only the last {}", "只有最后的{}"},
     {"Look at the tail: does the loop reach the last block, and are its valid_shape and offset "
      "right? Otherwise look at the edge of a mask or window that only the last positions reach.",
      "检查尾块：循环是否到达最后一块，该块的 valid_shape 和偏移是否正确。若尾块无误，检查只有最后位置才会碰到的掩码或窗口边缘。"}},
    {ADVICE_PLACE, "first", {"only the first {}", "只有最前的{}"},
     {"Look at the start: the first value of the loop, initial values of accumulators, and what "
      "only the first iteration does.",
      "检查起始部分：循环初值、累加器初值，以及只在首次迭代执行的操作。"}},
    {ADVICE_PLACE, "all_but_first", {"all but the first {}", "除最前部分以外的{}"},
     {"Only the start is right: look at what a loop carries over, at accumulators that are not set "
      "anew, and at offsets that do not advance.",
      "只有起始部分正确：检查迭代间传递的值、未重新初始化的累加器，以及没有推进的偏移。"}},
    {ADVICE_PLACE, "all_but_last", {"all but the last {}", "除最后部分以外的{}"},
     {"Only the end is right: look at what later iterations overwrite, and at offsets of the "
      "blocks before the last.",
      "只有末尾正确：检查是否被后面的迭代覆盖，以及末块之前各块的偏移。"}},
    {ADVICE_PLACE, "last_half", {"only the last half of the {}", "只有后一半{}"},
     {"Look for a loop that makes half of its iterations, and for halves that are split or joined "
      "in the wrong order.",
      "检查循环次数是否少了一半，以及拆分或拼接两半时的顺序。"}},
    {ADVICE_PLACE, "first_half", {"only the first half of the {}", "只有前一半{}"},
     {"Look for halves that are split or joined in the wrong order, and for an offset that skips "
      "the first one.",
      "检查拆分或拼接两半时的顺序，以及是否有偏移跳过了前一半。"}},
    {ADVICE_PLACE, "range", {"only some {} in the middle", "只有中间的部分{}"},
     {"Look at the iteration that writes them: its offset, its condition, and what it carries over.",
      "检查写出这些位置的迭代：偏移、条件以及迭代间传递的值。"}},
    {ADVICE_PLACE, "periodic", {"at regular distances among the {}", "在{}中等间隔出现"},
     {"The same place in each block is wrong: compare the tile with block size, stride and "
      "valid_shape.",
      "每块的同一位置出错：对照块大小、步长和 valid_shape 检查 tile。"}},
    {ADVICE_PLACE, "tile", {"in one block only", "只在一个矩形块内"},
     {"Look at the iteration that writes this block: its offsets on both axes, and which tensor "
      "it reads.",
      "检查写出该块的迭代：两个轴上的偏移，以及读取的是哪个张量。"}},
    {ADVICE_PLACE, "scattered", {"scattered", "零散分布"},
     {"It depends on the values, not on the place: look at comparisons, masks, maxima, divisions "
      "and rounding.",
      "与数值而非位置有关：检查比较、掩码、最大值、除法和舍入。"}},

    /* --- codes of PyPTO */
    {ADVICE_CODE, "F00001", {"an argument has the wrong type", "参数类型不对"},
     {"Compare the arguments at this line with the operation's signature. The size of a DYNAMIC axis "
      "has no value where Python needs one: write pypto.loop for range, pypto.cond for if, pypto.min "
      "for min.",
      "对照该操作的签名检查这一行的参数。DYNAMIC 轴的大小在 Python 需要具体数值处没有值：range 改用 "
      "pypto.loop，if 改用 pypto.cond，min 改用 pypto.min。"}},
    {ADVICE_CODE, "F00002", {"an argument has a value that is not allowed", "参数取值不允许"},
     {"Look at axes, modes, steps and dtypes at this line; if it launches the kernel, compare ranks, sizes and "
      "dtypes of the arguments with the annotations.",
      "检查这一行的轴、模式、步长和 dtype；若该行启动 kernel，请将各参数的轴数、大小和 dtype 与标注对照。"}},
    {ADVICE_CODE, "F00003", {"a call in the wrong place or order", "调用的位置或顺序不对"},
     {"Look at what this call needs before it, and whether all paths do the same.",
      "检查该调用的前置条件，以及各路径是否一致。"}},
    {ADVICE_CODE, "F00004", {"a name that does not exist", "名称不存在"},
     {"Define the name, or correct its spelling.", "定义该名称，或更正拼写。"}},
    {ADVICE_CODE, "F00005", {"an operation or dtype that is not simulated", "模拟器不支持的操作或 dtype"},
     {"The simulator cannot judge this kernel: run it on a device (--modes npu).",
      "模拟器无法判定该 kernel：请在设备上运行（--modes npu）。"}},
    {ADVICE_CODE, "F0000A", {"a tensor with a dynamic axis is computed on", "对含动态轴的张量直接计算"},
     {"Compute on views of it with fixed shapes and valid_shape.",
      "请对其固定 shape 的 view（带 valid_shape）进行计算。"}},
    {ADVICE_CODE, "F0000B", {"the matrices of a matmul do not fit", "matmul 的矩阵不匹配"},
     {"Compare the shapes at this line, and a_trans and b_trans.",
      "检查这一行的 shape 以及 a_trans、b_trans。"}},
    {ADVICE_CODE, "F0000C", {"tile shapes of a matmul are not allowed", "matmul 的 tile shape 不允许"},
     {"Correct set_cube_tile_shapes before this line.", "修正这一行之前的 set_cube_tile_shapes。"}},
    {ADVICE_CODE, "F0000D", {"formats of a matmul do not fit", "matmul 的格式不匹配"},
     {"Look at ND and NZ of its operands.", "检查操作数的 ND、NZ 格式。"}},
    {ADVICE_CODE, "F21001", {"shapes of a view or reshape do not fit", "view 或 reshape 的 shape 不匹配"},
     {"Look at its shape and at what it views.", "检查其 shape 以及被 view 的张量。"}},
    {ADVICE_CODE, "F21003", {"a tile shape is not set, or a shape does not fit", "tile shape 未设置，或 shape 不匹配"},
     {"Call set_vec_tile_shapes or set_cube_tile_shapes before this operation, with an entry for "
      "each axis.",
      "在该操作之前调用 set_vec_tile_shapes 或 set_cube_tile_shapes，每个轴给一个值。"}},
    {ADVICE_CODE, "F21008", {"a shape or dtype depends on the path", "shape 或 dtype 随路径变化"},
     {"Give the tensor one shape and dtype on every path.", "让该张量在各路径上 shape 和 dtype 一致。"}},
    {ADVICE_CODE, "F21009", {"a tensor is read and assembled into in one loop body", "同一循环体内既读又 assemble 同一张量"},
     {"Move the read and the write to different loops.", "把读和写放到不同的循环中。"}},
    {ADVICE_CODE, "F40005", {"the tiles of one operation exceed an on-chip buffer", "单个操作的 tile 超出片上缓冲区"},
     {"Make the tile of this operation smaller; 'pypto-lint tiles' lists those that fit.",
      "减小该操作的 tile；'pypto-lint tiles' 列出可用的 tile。"}},
    {ADVICE_CODE, "F42003", {"a vector tile has fewer entries than the tensor has axes", "向量 tile 的维数少于张量的轴数"},
     {"Give set_vec_tile_shapes an entry for each axis.", "为每个轴给 set_vec_tile_shapes 一个值。"}},
    {ADVICE_CODE, "F74006", {"an element or window lies outside its tensor", "元素或窗口超出张量范围"},
     {"An offset or a tail is out of range: look at start and number of blocks of the loop around "
      "this line, at offsets that come from data, and at the last block's valid_shape.",
      "偏移或尾块越界：检查这一行外层循环的起点和块数、来自数据的偏移，以及最后一块的 valid_shape。"}},
    {ADVICE_CODE, "F74007", {"a tensor is read that nothing has written", "读取了从未写入的张量"},
     {"Write the tensor before the loop or on every path that leads here.",
      "在循环之前，或在通向此处的每条路径上，先写该张量。"}},
    {ADVICE_CODE, "F7400B", {"the kernel's own tensors need too much memory", "kernel 内部张量占用内存过多"},
     {"Make the tensors inside the kernel smaller, or split the loop.",
      "减小 kernel 内部的张量，或拆分循环。"}},
    {ADVICE_CODE, "F77004", {"an argument has another extent than declared", "实参的大小与声明不符"},
     {"Declare the axis as pypto.DYNAMIC, or pass the declared extent.",
      "把该轴声明为 pypto.DYNAMIC，或按声明的大小传参。"}},
    {ADVICE_CODE, "FC0000", {"shapes of a vector operation do not fit", "向量操作的 shape 不匹配"},
     {"Compare the shapes at this line: all but broadcast axes must be equal.",
      "检查这一行的 shape：除广播轴外必须相等。"}},
    {ADVICE_CODE, "FC0001", {"dtypes of a vector operation do not fit", "向量操作的 dtype 不匹配"},
     {"Cast the operands at this line to one dtype that the operation takes; 'pypto-lint api NAME' lists its dtypes.",
      "把这一行的操作数 cast 成该操作支持的同一 dtype；'pypto-lint api 名称' 列出其 dtype。"}},
    {ADVICE_CODE, "FC1000", {"a vector tile is too large for this operation", "向量 tile 对该操作过大"},
     {"Make the vector tile smaller before this line.", "在这一行之前减小向量 tile。"}},
    {ADVICE_CODE, "FC1001", {"a vector tile is not in whole blocks of 32 bytes", "向量 tile 不是 32 字节的整数倍"},
     {"Make the last entry of the vector tile a multiple of 32 bytes.",
      "把向量 tile 的最后一维设为 32 字节的整数倍。"}},

    /* --- how an output or a run breaks its contract */
    {ADVICE_CAUSE, "missing", {"an output is missing", "缺少输出"},
     {"Return as many outputs as the contract lists, in its order.", "按约定的数量和顺序返回输出。"}},
    {ADVICE_CAUSE, "extra", {"there is one output too many", "多了输出"},
     {"Return only the outputs that the contract lists.", "只返回约定中列出的输出。"}},
    {ADVICE_CAUSE, "shape", {"an output has another shape", "输出的 shape 不同"},
     {"Allocate this output in the wrapper with the contract's shape; look at axes that are kept, "
      "dropped or swapped.",
      "在 wrapper 中按约定的 shape 分配该输出；检查是否多留、少留或交换了轴。"}},
    {ADVICE_CAUSE, "dtype", {"an output has another dtype", "输出的 dtype 不同"},
     {"Allocate this output with the contract's dtype, and cast to it at the end of the kernel.",
      "按约定的 dtype 分配该输出，并在 kernel 末尾 cast。"}},
    {ADVICE_CAUSE, "not a tensor", {"an output is not a tensor", "输出不是张量"},
     {"Return tensors only.", "只返回张量。"}},
    {ADVICE_CAUSE, "no_launch", {"no kernel was launched", "没有启动任何 kernel"},
     {"Let the wrapper call the kernel for every input, and return what the kernel wrote.",
      "让 wrapper 对所有输入都调用 kernel，并返回 kernel 写出的结果。"}},
    {ADVICE_CAUSE, "torch_computed", {"torch computed an output", "输出由 torch 算出"},
     {"Do this step in the kernel and return the memory that it wrote; allocations, views, copies "
      "and casts may stay in the wrapper.",
      "把这一步放进 kernel 中计算，并返回 kernel 写出的内存；分配、view、拷贝和类型转换可以留在 wrapper 中。"}},
    {ADVICE_CAUSE, "no_launch_wrote", {"no launch wrote an output", "没有任何 launch 写过某个输出"},
     {"Pass this output's memory to the kernel, write it there (assemble, name[:] = …), and return "
      "that same memory, not a constant, an input or what a cache holds.",
      "把该输出的内存传给 kernel，在其中写入（assemble、name[:] = …），并返回同一块内存，而不是常量、输入或缓存。"}},
    {ADVICE_CAUSE, "reference_imported", {"the implementation imports the reference", "实现导入了参考实现"},
     {"Remove the import: the kernel must compute the result itself.",
      "删除该导入：结果必须由 kernel 计算。"}},

    /* --- warnings of the simulator */
    {ADVICE_FINDING, "alignment",
     {"the last entry of the vector tile is not a multiple of 32 bytes", "向量 tile 的最后一维不是 32 字节的整数倍"}, {NULL, NULL}},
    {ADVICE_FINDING, "bias-table",
     {"a tile of the bias is larger than the memory for it", "bias 的 tile 大于其存储"}, {NULL, NULL}},
    {ADVICE_FINDING, "fixpipe-buffer",
     {"a tile of the scale is larger than the memory for it", "scale 的 tile 大于其存储"}, {NULL, NULL}},
    {ADVICE_FINDING, "concat-valid",
     {"a partly valid tensor is joined, and the result counts as wholly valid: take a view with "
      "valid_shape of the result",
      "拼接了部分有效的张量，结果被视为全部有效：请对结果取带 valid_shape 的 view"}, {NULL, NULL}},
    {ADVICE_FINDING, "cube-capacity",
     {"the tiles of this matmul are too large by the documented formula", "按文档公式，该 matmul 的 tile 过大"}, {NULL, NULL}},
    {ADVICE_FINDING, "many-tiles",
     {"this operation has so many tiles that compiling takes long and may fail: make the tile "
      "larger",
      "该操作的 tile 过多，编译很慢且可能失败：请增大 tile"}, {NULL, NULL}},
    {ADVICE_FINDING, "never-written",
     {"a parameter of the kernel is neither read nor written", "kernel 有一个参数既未读也未写"}, {NULL, NULL}},
    {ADVICE_FINDING, "no-output",
     {"the kernel writes no parameter, so it has no output", "kernel 没有写任何参数，因此没有输出"}, {NULL, NULL}},
    {ADVICE_FINDING, "output-form",
     {"an output gets a value of another shape or dtype than its own", "写入输出的值与其 shape 或 dtype 不同"}, {NULL, NULL}},
    {ADVICE_FINDING, "parallel-accumulation",
     {"iterations of a parallel loop hand a tensor to each other: on the device their order is not "
      "defined; drop parallel=True or make the iterations independent",
      "并行循环的各次迭代之间传递张量：设备上的执行顺序不确定；请去掉 parallel=True，或使各次迭代相互独立"}, {NULL, NULL}},
    {ADVICE_FINDING, "python-increment",
     {"a Python number is advanced in a loop body: it is computed once, when the loop is recorded; "
      "compute it from the loop index",
      "循环体中递增的 Python 数值只在记录循环时计算一次；请由循环下标计算"}, {NULL, NULL}},
    {ADVICE_FINDING, "recompiles",
     {"the text of an argument contains an address, so every call compiles the kernel anew",
      "某个参数的文本含有地址，每次调用都会重新编译 kernel"}, {NULL, NULL}},
    {ADVICE_FINDING, "reshape-gaps",
     {"a partly valid tensor is reshaped without valid_shape: what lies in its gaps becomes data",
      "对部分有效的张量 reshape 而未给 valid_shape：空隙中的内容会变成数据"}, {NULL, NULL}},
    {ADVICE_FINDING, "reshape-output",
     {"the result of a reshape in place is written to an output: the device does not take it",
      "原地 reshape 的结果被写入输出：设备不接受"}, {NULL, NULL}},
    {ADVICE_FINDING, "sibling-loops",
     {"a tensor is written in one inner loop and read in the next: on the device iterations of the "
      "loop around may overlap; give the second submit_before_loop=True",
      "张量在一个内层循环中写、在下一个中读：设备上外层循环的迭代可能重叠；请为第二个循环设置 submit_before_loop=True"}, {NULL, NULL}},
    {ADVICE_FINDING, "uncarried-state",
     {"a name is bound to a new tensor in a loop, which the next iteration does not see: write "
      "name[:] = …",
      "循环中把名称绑定到新张量，下一次迭代看不到：请写 name[:] = …"}, {NULL, NULL}},
    {ADVICE_FINDING, "undefined-element",
     {"an element outside the valid part of a tensor is read as an offset", "把张量有效部分之外的元素读作偏移"}, {NULL, NULL}},
    {ADVICE_FINDING, "undefined-output",
     {"an output received elements that no operation has written: give the valid_shape, or write "
      "the tensor whole first",
      "输出得到了没有任何操作写过的元素：请给出 valid_shape，或先写满该张量"}, {NULL, NULL}},
    {ADVICE_FINDING, "unwritten-read",
     {"elements that nothing has written reach an output: look at the bounds of the loop that writes "
      "the tensor and at the offsets of its reads",
      "从未写入的元素进入了输出：请检查写入该张量的循环上下界以及读取的偏移"},
     {NULL, NULL}},
    {ADVICE_FINDING, "padding-read",
     {"elements beyond the valid part of a tensor reach an output: give it the valid_shape of the other "
      "operands, or fill its padding (fillpad)",
      "张量有效部分之外的元素进入了输出：请使用与其他操作数相同的 valid_shape，或用 fillpad 填充"},
     {NULL, NULL}},
    {ADVICE_FINDING, "unwritten-output",
     {"no launch has written some elements of an output: look whether the loop reaches the last block, "
      "and at the offset and valid_shape of that block",
      "输出中有元素未被任何 launch 写入：检查循环是否到达最后一块，以及该块的偏移和 valid_shape"},
     {NULL, NULL}},
    {ADVICE_FINDING, "race",
     {"two accesses to the same elements have no order on the device: let iterations of a parallel loop "
      "write disjoint windows, leave parallel=True out, or use submit_before_loop=True for the loop that "
      "reads",
      "对同一批元素的两次访问在设备上没有先后顺序：请让并行循环的各次迭代写互不重叠的窗口，去掉 parallel=True，或为读取的循环设置 submit_before_loop=True"},
     {NULL, NULL}},
    {ADVICE_FINDING, "unbound-symbol",
     {"a symbol does not stand for an axis of a parameter: it is 0", "某个符号不对应任何参数的轴：其值为 0"}, {NULL, NULL}},
    {ADVICE_FINDING, "loop-local", {"a tensor made in a loop of several iterations is used after it: it is that of the last iteration", "在多次迭代的循环中创建的张量在循环之后被使用：其值是最后一次迭代的"}, {NULL, NULL}},
    {ADVICE_FINDING, "matmul-dtypes", {"the documentation does not name these dtypes for a matmul, although the product takes them", "文档未列出 matmul 的这组 dtype，但产品接受"}, {NULL, NULL}},
    {ADVICE_FINDING, "no-dump", {"runtime_debug_mode asks for files that the simulator does not write", "runtime_debug_mode 要求的文件模拟器不会写出"}, {NULL, NULL}},
    {ADVICE_FINDING, "no-iterations", {"no loop of the launch ran an iteration, so the kernel computed nothing", "本次启动没有任何循环执行迭代，kernel 未计算任何内容"}, {NULL, NULL}},
    {ADVICE_FINDING, "read-assembled", {"a tensor is read and assembled in one loop body: split the body into two loops", "同一循环体内既读取又 assemble 同一张量：请拆成两个循环"}, {NULL, NULL}},
    {ADVICE_FINDING, "reduction-tile", {"the tile of a reduction is larger than the 64 KiB that the documentation allows", "归约的 tile 超过文档允许的 64 KiB"}, {NULL, NULL}},
    {ADVICE_FINDING, "reshape-count", {"a reshape in place describes another number of elements than its memory has", "原地 reshape 描述的元素个数与其存储不同"}, {NULL, NULL}},
    {ADVICE_FINDING, "topk-columns", {"topk has more columns in a tile than the 22 KiB that the documentation allows", "topk 的 tile 列数超过文档允许的 22 KiB"}, {NULL, NULL}},
    {ADVICE_FINDING, "ub-documented", {"with the scratch memory that the documentation states, the operation needs more than the unified buffer has: make the tile smaller", "加上文档所述的临时空间后，该操作所需超过 UB 容量：请减小 tile"}, {NULL, NULL}},
    {ADVICE_FINDING, "ub-widened", {"the device computes on these 16-bit tensors in F32, which needs more than the unified buffer has: make the tile smaller", "设备以 F32 计算这些 16 位张量，所需超过 UB 容量：请减小 tile"}, {NULL, NULL}},
    {ADVICE_FINDING, "view-extent", {"an explicit valid_shape reaches beyond the source of a view: the memory after it is read", "显式 valid_shape 超出 view 的源：会读到其后的内存"}, {NULL, NULL}},
    {ADVICE_FINDING, "carried-state", {"a loop carries a name that it binds anew: PyPTO 9.2 does that, 9.1 does not", "循环会携带其中重新绑定的名称：PyPTO 9.2 如此，9.1 不会"}, {NULL, NULL}},
    {ADVICE_FINDING, "helper-rebind", {"a helper rebinds its parameter: PyPTO 9.2 writes the new value to the kernel's parameter as well; use another name in the helper", "辅助函数重新绑定其参数：PyPTO 9.2 会把新值也写入 kernel 的参数；请在辅助函数中改用别的名称"}, {NULL, NULL}},
    {ADVICE_FINDING, "object-rebound", {"a condition known only at run time leaves a name with different Python objects: PyPTO 9.2 keeps the last one for both sides", "运行时才知道的条件使一个名称绑定到不同的 Python 对象：PyPTO 9.2 两侧都保留最后一个"}, {NULL, NULL}},
    {ADVICE_FINDING, "pypto-version", {"only PyPTO 9.2 has or allows this", "仅 PyPTO 9.2 具有或允许此用法"}, {NULL, NULL}},
    {ADVICE_FINDING, "unknown-option", {"an option that is not known here is ignored", "此处未知的选项会被忽略"}, {NULL, NULL}},
    {ADVICE_FINDING, "ub-capacity", {"the unified buffer does not hold the tiles of an operation; PTOSIM_WARN lets it pass, the device does not", "UB 容纳不下某个操作的 tile；PTOSIM_WARN 放行，而设备不会"}, {NULL, NULL}},
    {ADVICE_FINDING, "l0a-capacity", {"the L0A buffer does not hold a tile of a matmul; PTOSIM_WARN lets it pass, the device does not", "L0A 容纳不下 matmul 的 tile；PTOSIM_WARN 放行，而设备不会"}, {NULL, NULL}},
    {ADVICE_FINDING, "l0b-capacity", {"the L0B buffer does not hold a tile of a matmul; PTOSIM_WARN lets it pass, the device does not", "L0B 容纳不下 matmul 的 tile；PTOSIM_WARN 放行，而设备不会"}, {NULL, NULL}},
    {ADVICE_FINDING, "l0c-capacity", {"the L0C buffer does not hold a tile of a matmul; PTOSIM_WARN lets it pass, the device does not", "L0C 容纳不下 matmul 的 tile；PTOSIM_WARN 放行，而设备不会"}, {NULL, NULL}},
    {ADVICE_FINDING, "l1-capacity", {"the L1 buffer does not hold the tiles of a matmul; PTOSIM_WARN lets it pass, the device does not", "L1 容纳不下 matmul 的 tile；PTOSIM_WARN 放行，而设备不会"}, {NULL, NULL}},
    {ADVICE_FINDING, "tile-rank", {"a tile has another number of axes than its tensor; PTOSIM_WARN lets it pass", "tile 的维数与张量不同；PTOSIM_WARN 放行"}, {NULL, NULL}},
    {ADVICE_FINDING, "tile-aligned", {"a tile is not aligned to 32 bytes; PTOSIM_WARN lets it pass", "tile 未按 32 字节对齐；PTOSIM_WARN 放行"}, {NULL, NULL}},
    {ADVICE_FINDING, "topk-tile", {"k of topk is larger than its tile; PTOSIM_WARN lets it pass", "topk 的 k 大于其 tile；PTOSIM_WARN 放行"}, {NULL, NULL}},
    {ADVICE_FINDING, "cube-tile", {"the cube tile does not suit the matmul; PTOSIM_WARN lets it pass", "cube tile 不适合该 matmul；PTOSIM_WARN 放行"}, {NULL, NULL}},
    {ADVICE_FINDING, "conv-tile", {"channels in a tile of a convolution are not a multiple of 32 bytes, or more than there are", "卷积 tile 的通道数不是 32 字节的整数倍，或超过实际通道数"}, {NULL, NULL}},
    {ADVICE_FINDING, "conv-capacity", {"a buffer does not hold the tiles of a convolution; PTOSIM_WARN lets it pass, the device does not", "缓冲区容纳不下卷积的 tile；PTOSIM_WARN 放行，而设备不会"}, {NULL, NULL}},
    {ADVICE_FINDING, "layout", {"an operand has a layout that the operation does not take; PTOSIM_WARN lets it pass", "操作数的布局不被该操作接受；PTOSIM_WARN 放行"}, {NULL, NULL}},
    {.name = NULL},
};
/* clang-format on */

const AdviceRow *advice_row(AdviceKind kind, Str name)
{
    for (const AdviceRow *row = advice_table; row->name != NULL; row++) {
        if (row->kind == kind && str_is(name, row->name)) {
            return row;
        }
    }
    return NULL;
}
