"""The stand-in for torch_npu: what is computed on the device. Expected values are worked out by
hand or with integers and F64; products are compared with a kernel's own, bit for bit."""
import os

os.environ["PTOSIM_RUN_MODE"] = "SIM"  # as `pypto-lint run` does

import support  # noqa: E402  (ends with 77 without torch)
import torch  # noqa: E402
import torch_npu  # noqa: E402

import pypto  # noqa: E402

NPU = "npu:0"
KINDS = {torch.float32: pypto.DT_FP32, torch.float16: pypto.DT_FP16,
         torch.bfloat16: pypto.DT_BF16}
M, K, N = 37, 300, 29


def product_kernel(kind, m=M, k=K, n=N):
    """c = a · b by one product of a kernel."""
    @pypto.frontend.jit
    def product(a: pypto.Tensor([m, k], kind), b: pypto.Tensor([k, n], kind),
                c: pypto.Tensor([m, n], kind)):
        pypto.set_cube_tile_shapes([16, 32], [16, 64], [16, 32])
        c[:] = pypto.matmul(a, b, kind)
    return product


class Numbers(support.KernelTest):
    def setUp(self):
        torch.manual_seed(3)

    def same(self, got, want):
        """On the device, and bit for bit the expected."""
        self.assertEqual(got.device.type, "npu")
        self.equal(got.cpu(), want.cpu())


class Products(Numbers):
    def operands(self, dtype):
        return (torch.randn(M, K).to(dtype).to(NPU), torch.randn(K, N).to(dtype).to(NPU),
                torch.zeros(M, N, dtype=dtype, device=NPU))

    def test_all_forms_equal_a_kernel(self):
        functional = torch.nn.functional
        for dtype, kind in KINDS.items():
            a, b, c = self.operands(dtype)
            product_kernel(kind)(a, b, c)
            forms = {
                "@": lambda: a @ b, "matmul": lambda: torch.matmul(a, b), "method": lambda: a.mm(b),
                "mm": lambda: torch.mm(a, b), "bmm": lambda: torch.bmm(a[None], b[None])[0],
                "linear": lambda: functional.linear(a, b.t().contiguous()),
                "transposed": lambda: (b.t() @ a.t()).t(),
                "einsum": lambda: torch.einsum("mk,kn->mn", a, b),
                "einsum, k first": lambda: torch.einsum("km,nk->mn", a.t(), b.t()),
                "einsum, implicit": lambda: torch.einsum("ik,kj", a, b),
                "einsum, list": lambda: torch.einsum("mk,kn->mn", [a, b]),
                "batch": lambda: (a.expand(2, M, K) @ b)[1],
                "mv": lambda: torch.stack([torch.mv(a, b[:, j]) for j in range(N)], 1),
                "dot": lambda: torch.stack([torch.stack([torch.dot(a[i], b[:, j]) for j in
                                                         range(N)]) for i in range(M)]),
                "matmul with out": lambda: torch.matmul(a, b, out=torch.empty(M, N, dtype=dtype,
                                                                              device=NPU)),
                "addmm of zeros": lambda: torch.addmm(c * 0, a, b),
                "baddbmm of zeros": lambda: torch.baddbmm(c[None] * 0, a[None], b[None])[0],
            }
            for name, form in forms.items():
                with self.subTest(form=name, dtype=dtype):
                    self.same(form(), c)

    def test_a_module_equals_a_kernel(self):
        model = torch.nn.Linear(K, N, bias=False)
        a = torch.randn(M, K)
        c = torch.zeros(M, N, device=NPU)
        product_kernel(pypto.DT_FP32)(a.to(NPU), model.weight.detach().t().contiguous().to(NPU), c)
        model = model.to(NPU)
        with torch.no_grad():
            self.same(model(a.to(NPU)), c)

    def test_sums_run_in_the_order_of_k(self):
        # 2^24 + 1 is no F32: in the order of k each 1 is lost, in pairs it would not be.
        a = torch.ones(1, 65)
        a[0, 0] = 2.0 ** 24
        product = a.to(NPU) @ torch.ones(65, 1, device=NPU)
        self.assertEqual(product.item(), 2.0 ** 24)

    def test_one_rounding_for_sixteen_bits(self):
        # 256 + 64 · 1: bfloat16 has 8 bits, so 256 + 1 is 256 when every step is rounded.
        a = torch.ones(1, 65, dtype=torch.bfloat16)
        a[0, 0] = 256
        product = a.to(NPU) @ torch.ones(65, 1, dtype=torch.bfloat16, device=NPU)
        self.assertEqual((product.item(), product.dtype), (320.0, torch.bfloat16))
        a = torch.full((1, 1200), 2.0, dtype=torch.float16)
        product = a.to(NPU) @ torch.ones(1200, 1, dtype=torch.float16, device=NPU)
        self.assertEqual(product.item(), 2400.0)

    def test_bias(self):
        x, w = torch.tensor([[1.0, 2.0], [3.0, 4.0]]), torch.tensor([[1.0, 10.0], [2.0, 20.0]])
        bias = torch.tensor([0.5, -0.5])
        # rows of x times rows of w: [1+20, 2+40], [3+40, 6+80]
        want = torch.tensor([[21.5, 41.5], [43.5, 85.5]])
        x, w, bias = x.to(NPU), w.to(NPU), bias.to(NPU)
        self.same(torch.nn.functional.linear(x, w, bias), want)
        self.same(torch.addmm(bias, x, w.t()), want)
        self.same(torch.addmm(bias, x, w.t(), beta=2, alpha=3),
                  torch.tensor([[64.0, 125.0], [130.0, 257.0]]))
        self.same(torch.nn.functional.linear(x[0], w, bias), want[0])

    def test_a_bias_is_added_before_the_rounding(self):
        for dtype, kind in KINDS.items():
            a, b, c = self.operands(dtype)
            bias = torch.randn(1, N).to(dtype).to(NPU)
            bias_kind = pypto.DT_FP16 if dtype == torch.float16 else pypto.DT_FP32
            kernel_bias = bias if dtype == torch.float16 else bias.float()

            @pypto.frontend.jit
            def biased(a: pypto.Tensor([M, K], kind), b: pypto.Tensor([K, N], kind),
                       bias: pypto.Tensor([1, N], bias_kind), c: pypto.Tensor([M, N], kind)):
                pypto.set_cube_tile_shapes([16, 32], [16, 64], [16, 32])
                c[:] = pypto.matmul(a, b, kind, extend_params={"bias_tensor": bias})
            biased(a, b, kernel_bias, c)
            with self.subTest(dtype):
                self.same(torch.nn.functional.linear(a, b.t().contiguous(), bias[0]), c)
                self.same(torch.addmm(bias[0], a, b), c)

    def test_batches(self):
        a, b = torch.randint(-9, 9, (2, 1, 3, 4)).float(), torch.randint(-9, 9, (5, 4, 6)).float()
        self.same(a.to(NPU) @ b.to(NPU), a @ b)  # small integers: exact in any order
        self.same(torch.einsum("bhik,bhjk->bhij", a.to(NPU), a.to(NPU)),
                  a @ a.transpose(-1, -2))
        self.same(torch.einsum("bxik,bxik->bi", a.to(NPU), a.to(NPU)), (a * a).sum((1, 3)))
        self.same(torch.einsum("i,j->ij", a[0, 0, 0].to(NPU), b[0, :, 0].to(NPU)),
                  a[0, 0, 0][:, None] * b[0, :, 0])
        self.same(torch.einsum("...ik,kj->...ij", a.to(NPU), b[0].to(NPU)), a @ b[0])
        self.same(torch.baddbmm(torch.ones(5, 4, 4, device=NPU), b.to(NPU),
                                b.transpose(1, 2).contiguous().to(NPU), beta=2, alpha=-1),
                  2 - b @ b.transpose(1, 2))
        self.same(torch.tensor([1.0, 2.0], device=NPU) @ torch.tensor([3.0, 4.0], device=NPU),
                  torch.tensor(11.0))
        self.assertEqual(tuple((torch.zeros(0, 4, device=NPU) @ b[0].to(NPU)).shape), (0, 6))
        self.assertEqual(tuple((torch.zeros(2, 0, device=NPU) @ torch.zeros(0, 3, device=NPU))
                               .shape), (2, 3))
        self.assertEqual(tuple((torch.zeros(0, 2, 0, device=NPU) @ torch.zeros(0, 0, 3, device=NPU))
                               .shape), (0, 2, 3))

    def test_integers(self):
        a, b = torch.randint(-9, 9, (3, 4)), torch.randint(-9, 9, (4, 2))
        self.same(a.to(NPU) @ b.to(NPU), a @ b)

    def test_wrong_shapes(self):
        for a, b in (((2, 3), (2, 3)), ((2, 2, 3), (3, 3, 4)), ((3,), (4,))):
            with self.assertRaises(RuntimeError):
                torch.zeros(a, device=NPU) @ torch.zeros(b, device=NPU)
        with self.assertRaises(RuntimeError):
            torch.mm(torch.zeros(2, 2, 2, device=NPU), torch.zeros(2, 2, device=NPU))
        with self.assertRaises(RuntimeError):
            torch.bmm(torch.zeros(2, 2, device=NPU), torch.zeros(2, 2, device=NPU))
        with self.assertRaises(RuntimeError):
            torch.zeros(2, 2, device=NPU) @ torch.zeros(2, 2, device=NPU).half()

    def test_gradients_flow(self):
        for dtype in (torch.float32, torch.bfloat16):
            a = torch.tensor([[1.0, 2.0]], dtype=dtype, device=NPU, requires_grad=True)
            b = torch.tensor([[3.0], [4.0]], dtype=dtype, device=NPU)
            (a @ b).sum().backward()
            self.assertEqual(a.grad.tolist(), [[3.0, 4.0]])


class Half(Numbers):
    def test_functions(self):
        functional = torch.nn.functional
        x = (torch.rand(5, 7) + 0.5).half()
        functions = {
            "exp": torch.exp, "sqrt": torch.sqrt, "rsqrt": torch.rsqrt, "cos": torch.cos,
            "sin": torch.sin, "log": torch.log, "round": torch.round, "tanh": torch.tanh,
            "sigmoid": torch.sigmoid, "softmax": lambda t: torch.softmax(t, -1),
            "functional softmax": lambda t: functional.softmax(t, dim=-1), "silu": functional.silu,
            "method exp": lambda t: t.exp(), "mean": lambda t: t.mean(-1), "gelu": functional.gelu,
            "abs": lambda t: t.abs(), "amax": lambda t: t.amax(-1, keepdim=True),
            "clamp": lambda t: t.clamp(0.6, 0.9), "cumsum": lambda t: t.cumsum(0),
            "floor": torch.floor, "reciprocal": torch.reciprocal, "erf": torch.erf,
            "layer norm": lambda t: functional.layer_norm(t, [7]), "pow": lambda t: t ** 3,
            "square": torch.square, "log_softmax": lambda t: torch.log_softmax(t, -1),
        }
        for name, function in functions.items():
            with self.subTest(name):
                got = function(x.to(NPU))
                self.assertEqual((got.dtype, got.device.type), (torch.float16, "npu"))
                want = function(x.double())
                error = (got.cpu().double() - want).abs()
                self.assertTrue((error <= 2.0 ** -10 * want.abs().clamp(min=2.0 ** -14)).all(),
                                error.max())

    def test_in_place(self):
        x = torch.tensor([1.0, 4.0], dtype=torch.float16, device=NPU)
        self.assertIs(x.sqrt_(), x)
        self.assertEqual((x.tolist(), x.dtype), ([1.0, 2.0], torch.float16))

    def test_named_results(self):
        x = torch.tensor([[1.0, 3.0, 2.0]], dtype=torch.float16, device=NPU)
        values, indices = x.max(-1)
        self.assertEqual((values.tolist(), indices.tolist()), ([3.0], [1]))
        values, indices = torch.sort(x)
        self.assertEqual((values.tolist(), indices.tolist()), ([[1.0, 2.0, 3.0]], [[0, 2, 1]]))
        self.assertEqual(values.dtype, torch.float16)

    def test_on_the_host_errors_stay(self):
        with self.assertRaisesRegex(RuntimeError, "shape"):
            torch.zeros(2, dtype=torch.float16, device=NPU).reshape(3)


class Behaviour(Numbers):
    def test_int32_indices(self):
        x = torch.arange(12.0, device=NPU).reshape(4, 3)
        places = torch.tensor([2, 0], dtype=torch.int32, device=NPU)
        self.assertEqual(x[places].tolist(), [[6, 7, 8], [0, 1, 2]])
        self.assertEqual(x[places, places].tolist(), [8, 0])
        self.assertEqual(x[:, places].tolist()[0], [2, 0])
        self.assertEqual(x[places.long()].device.type, "npu")
        x[places] = -1.0
        self.assertEqual(x.tolist(), [[-1] * 3, [3, 4, 5], [-1] * 3, [9, 10, 11]])
        x[places, 1] = torch.tensor([5.0, 6.0], device=NPU)
        self.assertEqual(x[:, 1].tolist(), [6, 4, 5, 10])
        mask = torch.tensor([True, False, False, True], device=NPU)
        self.assertEqual(x[mask].tolist(), [[-1, 6, -1], [9, 10, 11]])
        byte = torch.tensor([1, 0, 0, 1], dtype=torch.int32, device=NPU)
        self.assertEqual(x[byte].shape, (4, 3))

    def test_int32_gather_and_scatter(self):
        x = torch.arange(6.0, device=NPU).reshape(2, 3)
        places = torch.tensor([[2], [0]], dtype=torch.int32, device=NPU)
        self.assertEqual(torch.gather(x, 1, places).tolist(), [[2], [3]])
        self.assertEqual(x.index_select(0, torch.tensor([1], dtype=torch.int32, device=NPU))
                         .tolist(), [[3, 4, 5]])
        self.assertEqual(x.scatter(1, places, 9.0).tolist(), [[0, 1, 9], [9, 4, 5]])
        x.scatter_(1, places, -1.0)
        self.assertEqual(x.tolist(), [[0, 1, -1], [-1, 4, 5]])

    def test_random_integers(self):
        for make in (torch.rand, torch.randn):
            made = make(3, 4, dtype=torch.int32, device=NPU)
            self.assertEqual((made.dtype, made.shape, made.device.type),
                             (torch.int32, (3, 4), "npu"))

    def test_topk(self):
        x = torch.tensor([3.0, 1.0, 3.0, 2.0, 3.0, 1.0], device=NPU)
        for is_sorted in (True, False):
            values, places = torch.topk(x, 4, sorted=is_sorted)
            self.assertEqual((values.tolist(), places.tolist()), ([3, 3, 3, 2], [0, 2, 4, 3]))
        values, places = x.topk(3, largest=False)
        self.assertEqual((values.tolist(), places.tolist()), ([1, 1, 2], [1, 5, 3]))
        found = x.reshape(2, 3).topk(1, dim=0)
        self.assertEqual(found.values.tolist(), [[3, 3, 3]])
        self.assertEqual(found.indices.tolist(), [[0, 1, 0]])
        with self.assertRaises(RuntimeError):
            torch.topk(x, 7)
        half = torch.topk(x.half(), 2)
        self.assertEqual((half.values.dtype, half.indices.tolist()), (torch.float16, [0, 2]))
        many = torch.zeros(1000, device=NPU)
        self.assertEqual(many.topk(5).indices.tolist(), [0, 1, 2, 3, 4])

    def test_sort(self):
        x = torch.tensor([2, 1, 2, 1] * 40, device=NPU)
        ones, twos = list(range(1, 160, 2)), list(range(0, 160, 2))
        self.assertEqual(torch.sort(x).indices.tolist(), ones + twos)
        self.assertEqual(torch.argsort(x).tolist(), ones + twos)
        self.assertEqual(x.argsort(descending=True).tolist(), twos + ones)
        self.assertEqual(x.sort(0, True).indices.tolist(), twos + ones)
        self.assertEqual(torch.argsort(x, 0, True).tolist(), twos + ones)
        self.assertEqual(x.sort(dim=0, stable=True).indices.tolist(), ones + twos)
        grid = torch.tensor([[1, 0], [0, 1]], device=NPU)
        self.assertEqual(torch.argsort(grid, 0).tolist(), [[1, 0], [0, 1]])


class Golden(Numbers):
    def test_dynamic_quant(self):
        x = torch.tensor([[127.0, -63.5, 1.0, 0.49], [0.0, 0.0, 0.0, 0.0],
                          [-2.54, 1.27, 0.02, 0.0]])
        whole, scale = torch_npu.npu_dynamic_quant(x.to(NPU))
        # Scales 1, 0 and 0.02; -63.5 is halfway and goes to the even -64.
        self.assertEqual(whole.tolist(), [[127, -64, 1, 0], [0, 0, 0, 0], [-127, 64, 1, 0]])
        self.assertEqual((whole.dtype, scale.dtype), (torch.int8, torch.float32))
        self.assertEqual(scale.tolist()[:2], [1.0, 0.0])
        self.assertAlmostEqual(scale[2].item(), 0.02, 7)
        whole, scale = torch_npu.npu_dynamic_quant(
            torch.tensor([[1.0, 4.0]], device=NPU).half(),
            smooth_scales=torch.tensor([254.0, 31.75], device=NPU).half())
        self.assertEqual((whole.tolist(), scale.tolist()), ([[127, 64]], [2.0]))  # 254, 127

    def test_quantize(self):
        x = torch.tensor([[1.0, 3.0], [-5.0, 1000.0]], device=NPU)
        scale = torch.tensor([2.0], device=NPU)
        quantize = torch_npu.npu_quantize
        # 0.5 and 1.5 are halfway: 0 and 2; -2.5 → -2.
        self.assertEqual(quantize(x, scale, None, torch.qint8, -1, True).tolist(),
                         [[0, 2], [-2, 127]])
        self.assertEqual(quantize(x, scale, None, torch.qint8, -1, False).tolist(),
                         [[2, 6], [-10, 127]])
        zero = torch.tensor([10.0], device=NPU)
        result = quantize(x, scale, zero, torch.quint8, -1, True)
        # 10.5 → 10, 11.5 → 12, 7.5 → 8
        self.assertEqual((result.tolist(), result.dtype), ([[10, 12], [8, 255]], torch.uint8))
        by_row = torch.tensor([1.0, 5.0], device=NPU)
        self.assertEqual(quantize(x, by_row, None, torch.qint32, 0, True).tolist(),
                         [[1, 3], [-1, 200]])
        self.assertEqual(quantize(x, by_row, None, torch.qint32, 1, True).tolist(),
                         [[1, 1], [-5, 200]])

    def test_quant_matmul(self):
        a = torch.tensor([[1, -2], [100, 3]], dtype=torch.int8, device=NPU)
        b = torch.tensor([[3, 4], [5, 6]], dtype=torch.int8, device=NPU)
        # [3 - 10, 4 - 12], [300 + 15, 400 + 18]
        scale = torch.tensor([0.5, 2.0], device=NPU)
        matmul = torch_npu.npu_quant_matmul
        self.same(matmul(a, b, scale, output_dtype=torch.float16),
                  torch.tensor([[-3.5, -16.0], [157.5, 836.0]]).half())
        whole = torch.tensor([7, 8], dtype=torch.int32, device=NPU)
        self.same(matmul(a, b, scale, bias=whole, output_dtype=torch.bfloat16),
                  torch.tensor([[0.0, 0.0], [161.0, 852.0]]).bfloat16())
        by_row = torch.tensor([2.0, 0.5], device=NPU)
        bias = torch.tensor([1.0, 2.0], device=NPU)
        self.same(matmul(a, b, scale, pertoken_scale=by_row, bias=bias, output_dtype=torch.float16),
                  torch.tensor([[-6.0, -30.0], [79.75, 420.0]]).half())
        self.same(matmul(a, b, scale), torch.tensor([[-4, -16], [127, 127]], dtype=torch.int8))

    def test_swiglu(self):
        x = torch.tensor([[0.0, 1.0, 5.0, 2.0]], device=NPU)
        # silu(0) · 5 = 0; silu(1) = 1 / (1 + e^-1) = 0.73105858
        got = torch_npu.npu_swiglu(x)
        self.assertEqual(got[0, 0].item(), 0.0)
        self.assertAlmostEqual(got[0, 1].item(), 1.46211716, 6)
        got = torch_npu.npu_swiglu(x.reshape(2, 2), dim=0)  # silu([0, 1]) · [5, 2]
        self.assertEqual((got.shape, got[0, 0].item()), ((1, 2), 0.0))
        self.assertAlmostEqual(got[0, 1].item(), 1.46211716, 6)
        self.assertEqual(torch_npu.npu_swiglu(x.bfloat16()).dtype, torch.bfloat16)
        self.assertTrue(torch.equal(torch.ops.npu.npu_swiglu(x), torch_npu.npu_swiglu(x)))

    def test_rms_norm(self):
        x, gamma = torch.tensor([[3.0, 4.0, 0.0, 0.0]], device=NPU), torch.ones(4, device=NPU) * 2
        result, scale = torch_npu.npu_rms_norm(x, gamma, epsilon=0.0)  # mean square 25 / 4
        self.assertAlmostEqual(scale.item(), 0.4, 6)
        for value, want in zip(result[0].tolist(), (2.4, 3.2, 0.0, 0.0)):
            self.assertAlmostEqual(value, want, 6)
        self.assertEqual(result.device.type, "npu")

    def test_casts(self):
        x = torch.tensor([1.5, -2.0], device=NPU)
        self.same(torch_npu.npu_dtype_cast(x, torch.float16), torch.tensor([1.5, -2.0]).half())
        # 1.5 is 0x3FC00000
        self.same(torch_npu.npu_trans_quant_param(torch.tensor([1.5], device=NPU)),
                  torch.tensor([0x3FC00000]))


if __name__ == "__main__":
    support.main()
