/* Codes of PyPTO; see product_codes.h. What a code means for a kernel's author is in the harness's
 * table of advice. */
#include "lint/product_codes.h"

#include <stdio.h>

static const ProductCode codes[] = {
    {"INVALID_TYPE",
     {0xF00001, 0xF00001},
     {"an argument has the wrong type (TypeError)", "参数类型不对（TypeError）"}},
    {"INVALID_VAL",
     {0xF00002, 0xF00002},
     {"an argument has a value that is not allowed (ValueError)", "参数取值不允许（ValueError）"}},
    {"RUNTIME_ERROR",
     {0xF00003, 0xF00003},
     {"a call in the wrong place or order (RuntimeError)", "调用的位置或顺序不对（RuntimeError）"}},
    {"NAME_ERROR",
     {0xF00004, 0xF00004},
     {"a name that does not exist (NameError)", "名称不存在（NameError）"}},
    {"NOT_IMPLEMENTED_ERROR",
     {0xF00005, 0xF00005},
     {"a construct or operation that is not supported (NotImplementedError)",
      "不支持的写法或操作（NotImplementedError）"}},
    {"KEY_ERROR",
     {0xF00006, 0xF00006},
     {"a key that does not exist (KeyError)", "键不存在（KeyError）"}},
    {"INVALID_OPERATION",
     {0xF00007, 0xF00007},
     {"an operation that is not possible here", "此处不可进行的操作"}},
    {"OUT_OF_RANGE",
     {0xF00008, 0xF00008},
     {"an index out of range (IndexError)", "下标越界（IndexError）"}},
    {"BAD_FD", {0xF00009, 0xF00009}, {"a file that cannot be used", "无法使用的文件"}},
    {"DYNAMIC_SHAPE_COMPUTE_UNSUPPORTED",
     {0xF0000A, 0xF0000A},
     {"a tensor with a dynamic axis is computed on", "对含动态轴的张量直接计算"}},
    {"INVALID_SHAPE",
     {0xF0000B, 0xF0000B},
     {"the matrices of a matmul do not fit", "matmul 的矩阵不匹配"}},
    {"INVALID_TILE",
     {0xF0000C, 0xF0000C},
     {"tile shapes of a matmul are not allowed", "matmul 的 tile shape 不允许"}},
    {"INVALID_FORMAT",
     {0xF0000D, 0xF0000D},
     {"formats of a matmul do not fit", "matmul 的格式不匹配"}},
    {"INVALID_OPERATION",
     {0xF21001, 0xF21001},
     {"shapes of a view or reshape do not fit", "view 或 reshape 的 shape 不匹配"}},
    {"INVALID_VAL",
     {0xF21003, 0xF21003},
     {"a tile shape is not set, or a shape does not fit", "tile shape 未设置，或 shape 不匹配"}},
    {"INVALID_PTR",
     {0xF21004, 0xF21004},
     {"a missing object while the graph is built", "构图时缺少对象"}},
    {"DYNAMIC_SHAPE_COMPUTE_UNSUPPORTED",
     {0xF21008, 0xF21008},
     {"a shape or dtype depends on the path", "shape 或 dtype 随路径变化"}},
    {"OP_DEPENDENCY_CYCLE",
     {0xF21009, 0xF21009},
     {"a tensor is read and assembled into in one loop body",
      "同一循环体内既读又 assemble 同一张量"}},
    {"MEMORY_ALLOCATION",
     {0xF40005, 0xF40005},
     {"the tiles of one operation exceed an on-chip buffer", "单个操作的 tile 超出片上缓冲区"}},
    {"FUNCTION_EXPAND_FEATURE",
     {0xF42003, 0xF42003},
     {"a vector tile has fewer entries than the tensor has axes",
      "向量 tile 的维数少于张量的轴数"}},
    {"SYMBOL_NOT_FOUND",
     {0xF62014, 0xF62014},
     {"code generation: a symbol is missing", "代码生成：缺少符号"}},
    {"COMPILE_CODE_FAILED",
     {0xF63001, 0xF63001},
     {"the generated code does not compile", "生成的代码无法编译"}},
    {"TASK_WAIT_TIMEOUT",
     {0xF72001, 0xF72001},
     {"a task did not end in time", "任务未在时限内结束"}},
    {"WAIT_CTRL_TIMEOUT",
     {0, 0xF7200C},
     {"the control flow did not answer in time", "控制流未在时限内应答"}},
    {"SLAB_MAGIC_CORRUPTED",
     {0, 0xF74004},
     {"the administration of the workspace was overwritten", "workspace 的管理数据被改写"}},
    {"ADDRESS_OUT_OF_RANGE",
     {0xF74006, 0xF74007},
     {"an element or window lies outside its tensor", "元素或窗口超出张量范围"}},
    {"WORKSPACE_ITER_INVALID",
     {0xF74007, 0xF74008},
     {"a tensor is read that nothing has written", "读取了从未写入的张量"}},
    {"WORKSPACE_CAPACITY",
     {0xF7400B, 0xF7400C},
     {"the kernel's own tensors need too much memory", "kernel 内部张量占用内存过多"}},
    {NULL,
     {0xF7400C, 0xF7400D},
     {"the base address of the workspace is wrong", "workspace 的基地址不对"}},
    {"CELL_MATCH_LAUNCH_PREPARE_FAILED",
     {0, 0xF7600E},
     {"the launch could not be prepared", "无法准备启动"}},
    {"SHAPE_VALUE_MISMATCH",
     {0xF77004, 0xF77004},
     {"an argument has another extent than declared", "实参的大小与声明不符"}},
    {"INCAST_ADDRESS_NULL", {0xF77005, 0xF77005}, {"an input has no memory", "输入没有内存"}},
    {"OUTCAST_ADDRESS_NULL", {0xF77006, 0xF77006}, {"an output has no memory", "输出没有内存"}},
    {"MEMRESET_FAILED", {0, 0xF7A004}, {"device memory could not be reset", "无法重置设备内存"}},
    {"NULLPTR", {0xF7A004, 0xF7A005}, {"data of the device is missing", "缺少设备数据"}},
    {"PARAM_INVALID",
     {0xFC0000, 0xFC0000},
     {"shapes of a vector operation do not fit", "向量操作的 shape 不匹配"}},
    {"PARAM_DTYPE_UNSUPPORTED",
     {0xFC0001, 0xFC0001},
     {"dtypes of a vector operation do not fit", "向量操作的 dtype 不匹配"}},
    {"PARAM_SHAPE_DIM_UNSUPPORTED",
     {0xFC0002, 0xFC0002},
     {"a tensor of a vector operation has too many or too few axes",
      "向量操作的张量维数过多或过少"}},
    {"PARAM_COUNT_INVALID",
     {0xFC0003, 0xFC0003},
     {"a vector operation has the wrong number of operands", "向量操作的操作数个数不对"}},
    {"CONFIG_TILE",
     {0xFC1000, 0xFC1000},
     {"a vector tile does not suit the operation", "向量 tile 不适合该操作"}},
    {"CONFIG_ALIGNMENT",
     {0xFC1001, 0xFC1001},
     {"a vector tile is not aligned", "向量 tile 未对齐"}},
};

static bool has_number(const ProductCode *code, Str word)
{
    char text[8];
    for (int version = PRODUCT_9_1; version <= PRODUCT_9_2; version++) {
        snprintf(text, sizeof text, "%06X", code->numbers[version]);
        if (code->numbers[version] != 0 && str_is(word, text)) {
            return true;
        }
    }
    return false;
}

const ProductCode *product_code_at(size_t index)
{
    return index < sizeof codes / sizeof *codes ? &codes[index] : NULL;
}

const ProductCode *product_code_find(Str word, size_t *at)
{
    while (*at < sizeof codes / sizeof *codes) {
        const ProductCode *code = &codes[(*at)++];
        if ((code->name != NULL && str_is(word, code->name)) || has_number(code, word)) {
            return code;
        }
    }
    return NULL;
}

bool is_product_code(Str word)
{
    size_t at = 0;
    return product_code_find(word, &at) != NULL;
}
