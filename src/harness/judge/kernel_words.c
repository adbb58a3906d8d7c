/* Kernel text: the words that may be shown, which are those of messages of the simulator and of
 * Python. See kernel_text.h. */
#include "harness/judge/kernel_text.h"

/* In lower case, with a blank on both sides of each. */
static const char words[] =
    " "
    "a add address after again aicore aligned alignment all allocate allocated allowed "
    "alpha always amount an and annotation annotations another any anything arange are "
    "argsort argument arguments around array as assemble assert assertion assignment at "
    "atomic attribute attributes axes axis back bad_alloc base be before being below "
    "bfloat16 bias bit bits bitwise block body bool both bounds broadcast buffers but by "
    "bytes call callable called can cannot capacity cast ceil checking class clone code "
    "common compare compilation compile complex128 complex64 compute concat concrete "
    "condition config connection constant context contiguous conv converted copy core "
    "could count counts cpp cpu crash cube cuda cumprod cumsum current data datatype "
    "debug declared def defined denied depends description descriptor detected device "
    "device_id devices dict did differ dim dimension dims directory div division do does "
    "done driver dt dt_bf16 dt_bool dt_fp16 dt_fp32 dt_int16 dt_int32 dt_int64 dt_int8 "
    "dt_uint8 dtype during dynamic element elements else empty enable end ends entries "
    "equal errcode error errors every exceeded exceeds exception execution exist exp "
    "expand expected expects experimental expression extend extent failed fatal fault "
    "file fill first float float16 float32 float64 floor for form format found fp freed "
    "from frontend full function functions gather gemm get given gives got grad gradient "
    "graph greater half hardware has have here host how i idx if illegal implemented "
    "import in inconsistent index indices infer inner inplace input inputs inside instead "
    "int int16 int32 int64 int8 integer integers interface internal into invalid is it "
    "item iter iterable iteration iterations its jit kernel kernel_call kernels key keys "
    "keyword know known largest last launch launches leaf least leave left length less "
    "library like list load loaded local log logical long lookup loop loops made many mat "
    "match matmul matrix max may mem member memory memoryerror min mismatch mismatched "
    "missing ml mode module more most move mul multiple multiply must name named names "
    "ndarray needed needs negative nested never new no non none nonetype norm not "
    "not_implemented nothing notimplementederror npu null num number numbers numpy object "
    "occupied of offsets on only op open operand operands operation operations options or "
    "order other out output outside over overflow overlap overlapping own pad padding "
    "parallel param parameter parameters params part pass path paths pattern performance "
    "permission permute place plain pointer positional positive possible pow print prints "
    "process processes product products profile program pto ptosim put pypto pyptoerror "
    "python quant range rank read reciprocal record recorded recording records recursion "
    "refused relu repeated required requires reset reshape resource respective result "
    "return reuse rms round rtmalloc rtsetdevice run runmode runs runtime same save "
    "scalar scalars scale scaled scatter scope scopes second see segmentation select set "
    "setting settings shape shapes shared shmem should side signal signature sim "
    "simulated simulator singleton size sizes slice slices so soc softmax sort sorted "
    "source split stable stage start state statement statements static std step stop "
    "storage str stream string sub submit subscript subscriptable subscripts such sums "
    "support supported sym symbol symbolic sync table take takes target tensor tensors "
    "test text than that the their them there they this those thread threads tile "
    "tile_shape tileop tiles time timeout to too topk torch trace trans transpose "
    "transposed truth tuple type typeerror uint uint8 undefined unexpected unhashable "
    "unit unknown unpack unroll unset unsqueeze unsupported up update use used val valid "
    "value valueerror values var variable verify version view violation virtual vm was "
    "weight what when where which while with within without workspace wrapper write "
    "written wrong yet zero zero_division ";

enum { LONGEST_WORD = 32 };

bool kernel_word_is_known(Str word)
{
    char wanted[LONGEST_WORD + 3] = " ";
    if (word.length == 0 || word.length > LONGEST_WORD) {
        return false;
    }
    for (size_t i = 0; i < word.length; i++) {
        char c = word.at[i];
        wanted[i + 1] = (char)(c >= 'A' && c <= 'Z' ? c | 0x20 : c);
    }
    wanted[word.length + 1] = ' ';
    return strstr(words, wanted) != NULL;
}
