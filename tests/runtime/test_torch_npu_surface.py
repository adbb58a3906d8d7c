"""The stand-in for torch_npu: what programs around kernels take for granted. Integers as devices,
formats of memory, dtypes that this torch lacks, captured graphs, torchair, small calls."""
import io
import os
import pickle
import subprocess
import sys
import tempfile
import unittest
import warnings

os.environ["PTOSIM_RUN_MODE"] = "SIM"  # as `pypto-lint run` does

import support  # noqa: E402  (ends with 77 without torch)
import references  # noqa: E402
import torch  # noqa: E402
import torch_npu  # noqa: E402

import pypto  # noqa: E402

F32 = pypto.DT_FP32


def lacks(name):
    """Is it a name of newer torch, here a sentinel?"""
    return not isinstance(getattr(torch, name), torch.dtype)


class IntegersAsDevices(unittest.TestCase):
    def test_everywhere(self):
        for made, index in ((torch.zeros(2, device=0), 0), (torch.zeros(2).to(1), 1),
                            (torch.tensor([1], device=torch.npu.current_device()), 0),
                            (torch.zeros(2).npu(3), 3), (torch.zeros(2).to(device=2), 2),
                            (torch.zeros(2).new_zeros(2, device=1), 1)):
            self.assertEqual(str(made.device), "npu:%d" % index)
        self.assertEqual(torch.device(2), torch.device("npu:2"))
        self.assertEqual(torch.nn.Linear(2, 2).to(1).weight.device.index, 1)
        self.assertEqual(torch.Generator(device=0).device.type, "npu")
        file = io.BytesIO()
        torch.save(torch.zeros(2), file)
        file.seek(0)
        self.assertEqual(torch.load(file, map_location=0).device.type, "npu")

    def test_true_is_no_device(self):
        with self.assertRaises(TypeError):
            torch.zeros(2, device=True)
        with self.assertRaises(RuntimeError):
            torch.npu.set_device(True)

    def test_default_device(self):
        with torch.device("npu"):
            self.assertEqual(torch.zeros(2).device.type, "npu")
            self.assertEqual(torch.zeros(2, device="cpu").device.type, "cpu")
        self.assertEqual(torch.zeros(2).device.type, "cpu")
        torch.set_default_device("npu:1")
        self.addCleanup(torch.set_default_device, "cpu")
        self.assertEqual(torch.arange(3).device.index, 1)
        self.assertEqual(torch.get_default_device(), torch.device("npu:1"))
        torch.set_default_device("cpu")
        self.assertEqual(torch.arange(3).device.type, "cpu")


class Formats(unittest.TestCase):
    def test_belong_to_the_memory(self):
        w = torch_npu.npu_format_cast(torch.randn(4, 4).npu(), 29)
        same = (w.reshape(4, 4), w.view(4, 4), w.detach(), w.contiguous(), w.npu(), w.to("npu:0"),
                w.data, torch.nn.Parameter(w), torch.nn.Parameter(w).data, w.view(w.shape))
        for tensor in same:
            self.assertEqual(torch_npu.get_npu_format(tensor), 29)
        for tensor in (w.clone(), w.t(), w[:2], w + 1, w.reshape(16), w.cpu(), w.to("npu:1")):
            self.assertEqual(torch_npu.get_npu_format(tensor), 2)

    def test_go_with_the_memory(self):
        from torch_npu import _formats
        before = len(_formats._tags)
        for _ in range(50):
            view = torch_npu.npu_format_cast(torch.zeros(8, 8).npu(), 29)[0]
            self.assertEqual(len(_formats._tags), before + 1)
            del view
        self.assertEqual(len(_formats._tags), before)

    def test_in_place(self):
        x = torch.arange(16.0).reshape(4, 4).npu()
        self.assertIs(torch_npu.npu_format_cast_(x, torch_npu.Format.FRACTAL_NZ), x)
        self.assertEqual((torch_npu.get_npu_format(x), x.tolist()[1]), (29, [4, 5, 6, 7]))
        self.assertEqual(torch_npu.get_npu_format(torch_npu.npu_format_cast(x, 2)), 2)


class MissingDtypes(unittest.TestCase):
    NAMES = ("uint16", "uint32", "uint64", "float8_e4m3fn", "float8_e5m2", "float8_e8m0fnu",
             "float4_e2m1fn_x2")

    def test_names(self):
        for name in self.NAMES:
            dtype = getattr(torch, name)
            self.assertEqual((str(dtype), repr(dtype)), ("torch." + name,) * 2)
            self.assertEqual({dtype: 1}[getattr(torch, name)], 1)
            self.assertNotEqual(dtype, torch.float32)
            self.assertEqual(dtype.is_floating_point, name.startswith("float"))
            if lacks(name):
                self.assertIs(pickle.loads(pickle.dumps(dtype)), dtype)
        self.assertEqual(torch.finfo(torch.float8_e4m3fn).max, 448.0)
        self.assertEqual(torch.finfo(torch.float8_e5m2).max, 57344.0)
        self.assertEqual(torch.iinfo(torch.uint32).max, 2 ** 32 - 1)
        self.assertEqual(torch.finfo(torch.float16).max, 65504.0)

    def test_whole_numbers(self):
        x = torch.tensor([0, 1, 65535], dtype=torch.uint16, device="npu")
        self.assertEqual((x.dtype, tuple(x.shape), str(x.device)), (torch.uint16, (3,), "npu:0"))
        self.assertEqual(x.to(torch.int32).tolist(), [0, 1, 65535])
        self.assertEqual(x.to(torch.int32).device.type, "npu")
        self.assertEqual(x.cpu().tolist(), [0, 1, 65535])
        self.assertEqual(x[1:].tolist(), [1, 65535])
        self.assertEqual(torch.zeros(2, dtype=torch.uint64).tolist(), [0, 0])
        self.assertEqual(torch.full((2,), 7, dtype=torch.uint32).tolist(), [7, 7])
        self.assertEqual(torch.tensor([-1, 2]).to(torch.uint16).tolist(), [65535, 2])
        self.assertEqual(torch.tensor([-1], dtype=torch.int16).view(torch.uint16).tolist(), [65535])
        self.assertEqual(x.view(torch.int16).tolist(), [0, 1, -1])

    def test_arrays(self):
        numpy = __import__("numpy")
        x = torch.from_numpy(numpy.array([1, 60000], dtype=numpy.uint16))
        self.assertEqual((x.dtype, x.tolist()), (torch.uint16, [1, 60000]))
        self.assertEqual(x.numpy().dtype, numpy.uint16)

    def test_eight_bits(self):
        # e4m3: 1 sign, 4 exponent (bias 7), 3 mantissa: 1.0 = 0 0111 000 = 0x38, -448 = 0xFE
        x = torch.tensor([1.0, -448.0, 0.3]).to(torch.float8_e4m3fn)
        self.assertEqual(x.view(torch.uint8).tolist(), [0x38, 0xFE, 0x2A])
        self.assertEqual(x.float().tolist(), [1.0, -448.0, 0.3125])
        self.assertEqual(x.to("npu").float().tolist(), [1.0, -448.0, 0.3125])
        # e5m2: bias 15: 1.5 = 0 01111 10 = 0x3E
        self.assertEqual(torch.tensor([1.5]).to(torch.float8_e5m2).view(torch.uint8).tolist(), [0x3E])
        self.assertEqual(torch.tensor([0x38], dtype=torch.uint8).view(torch.float8_e4m3fn)
                         .to(torch.float16).item(), 1.0)

    def test_values_that_nobody_wrote(self):
        self.assertTrue(torch.empty(2, dtype=torch.float8_e4m3fn).float().isnan().all())
        self.assertEqual(torch.empty(2, dtype=torch.uint16).tolist(), [65535 - 0x25] * 2)

    def test_the_rest_says_who_has_it(self):
        if not lacks("float8_e8m0fnu"):
            self.skipTest("this torch has them all")
        x = torch.ones(2, dtype=torch.float8_e8m0fnu)
        for call in (lambda: x + x, lambda: torch.matmul(x, x), lambda: -x, lambda: x.sum(),
                     lambda: x * 2, lambda: 2 * x, lambda: torch.exp(x)):
            with self.assertRaisesRegex(TypeError, "torch 2.7 has this dtype"):
                call()

    def test_kernels(self):
        @pypto.frontend.jit
        def kernel(x: pypto.Tensor([8, 16], pypto.DT_UINT16),
                   y: pypto.Tensor([8, 16], pypto.DT_UINT16)):
            pypto.set_vec_tile_shapes(8, 16)
            pypto.assemble(pypto.clone(x), [0, 0], y)
        x = torch.full((8, 16), 40000, dtype=torch.uint16, device="npu")
        y = torch.zeros(8, 16, dtype=torch.uint16, device="npu")
        kernel(x, y)
        self.assertEqual(y.to(torch.int32).unique().tolist(), [40000])


    def test_kernels_of_eight_bits(self):
        """950 only: a context of its own, so another process."""
        code = """if True:
            import torch, torch_npu, pypto
            @pypto.frontend.jit
            def kernel(x: pypto.Tensor([8, 32], pypto.DT_FP32),
                       y: pypto.Tensor([8, 32], pypto.DT_FP8E4M3),
                       z: pypto.Tensor([8, 32], pypto.DT_FP32)):
                pypto.set_vec_tile_shapes(8, 32)
                small = pypto.cast(x, pypto.DT_FP8E4M3)
                y[:] = small
                z[:] = pypto.cast(small, pypto.DT_FP32)
            x = torch.arange(256.0, device=0).reshape(8, 32) / 16 - 8
            y = torch.empty(8, 32, dtype=torch.float8_e4m3fn, device=0)
            z = torch.empty(8, 32, device=0)
            kernel(x, y, z)
            expected = x.to(torch.float8_e4m3fn)
            assert torch.equal(y.view(torch.uint8), expected.view(torch.uint8))
            assert torch.equal(z, expected.float())
            assert y.float()[0, :3].tolist() == [-8, -8, -8], y[0]  # steps of 1/2 there
        """
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "small.py")
            with open(path, "w", encoding="utf-8") as file:
                file.write(code)
            done = subprocess.run([sys.executable, "-B", path], capture_output=True, text=True,
                                  env={**os.environ, "PTOSIM_SOC": "950PR"}, timeout=120, check=False)
        self.assertEqual(done.returncode, 0, done.stderr)


class Graphs(unittest.TestCase):
    def test_torch_operations_are_repeated(self):
        x, graph = torch.ones(3).npu(), torch.npu.NPUGraph()
        self.assertFalse(torch.npu.is_current_stream_capturing())
        with torch.npu.graph(graph):
            self.assertTrue(torch_npu.npu.is_current_stream_capturing())
            y = (x * 2)[1:]
            y.add_(1)
            z = y @ y
        self.assertFalse(torch.npu.is_current_stream_capturing())
        self.assertEqual(z.item(), 18)
        x.fill_(5)
        self.assertEqual((y.tolist(), z.item()), ([3, 3], 18))
        graph.replay()
        self.assertEqual((y.tolist(), z.item()), ([11, 11], 242))
        graph.replay()
        self.assertEqual(z.item(), 242)

    def test_begin_and_end(self):
        graph, x = torch.npu.NPUGraph(), torch.ones(2).npu()
        with self.assertRaises(RuntimeError):
            graph.capture_end()
        graph.capture_begin(pool=torch.npu.graph_pool_handle())
        self.assertTrue(torch.npu.is_current_stream_capturing())
        y = x + 1
        graph.capture_end()
        x.fill_(3)
        graph.replay()
        self.assertEqual(y.tolist(), [4, 4])


class HiFloat8(unittest.TestCase):
    """It has no dtype in torch: bytes, which npu_dtype_cast makes and reads."""

    VALUES = torch.from_numpy(references.HF8).float()

    def test_reading(self):
        codes = torch.arange(256, dtype=torch.uint8, device="npu")
        read = torch_npu.npu_dtype_cast(codes, torch.float32, input_dtype=torch_npu.hifloat8)
        self.assertEqual(read.device.type, "npu")
        torch.testing.assert_close(read.cpu(), self.VALUES, rtol=0, atol=0, equal_nan=True)

    def test_writing(self):
        codes = torch_npu.npu_dtype_cast(self.VALUES.npu(), torch_npu.hifloat8)
        self.assertEqual(codes.dtype, torch.uint8)
        self.assertEqual(codes.cpu().tolist(), list(range(256)))
        # 1.0625 lies between 1 and 1.125, 40960 between 32768 and where infinity begins.
        for value, wanted in ((1.0625, 1.125), (-1.0625, -1.125), (1.06, 1.0), (2.0 ** -23, 2.0 ** -22),
                              (2.0 ** -23.1, 0.0), (40000.0, 32768.0), (40960.0, float("inf")),
                              (-1e30, float("-inf")), (-0.0, 0.0)):
            code = torch_npu.npu_dtype_cast(torch.tensor([value]), torch_npu.hifloat8)
            self.assertEqual(self.VALUES[code.long()].item(), wanted, value)


class Torchair(unittest.TestCase):
    def test_package(self):
        import torchair as tng
        from torchair.configs.compiler_config import CompilerConfig
        self.assertIs(tng.CompilerConfig, CompilerConfig)
        config = CompilerConfig()
        config.mode = "reduce-overhead"
        config.experimental_config.frozen_parameter = True
        config.debug.graph_dump.type = "txt"
        self.assertIs(config.experimental_config.frozen_parameter, True)
        backend = tng.get_npu_backend(compiler_config=config)

        @torch.compile(backend=backend, dynamic=True, fullgraph=True)
        def twice(x):
            return x * 2
        self.assertEqual(twice(torch.ones(2).npu()).tolist(), [2, 2])

        @tng.register_fx_node_ge_converter(torch.add)
        def converter(x, meta_outputs=None):
            return x
        self.assertEqual(converter(4), 4)
        from torchair._ge_concrete_graph import ge_apis as ge
        self.assertIn("not simulated", repr(ge.Anything))
        with self.assertRaises(NotImplementedError):
            tng.dynamo_export()


class Routes(unittest.TestCase):
    """torch's functions have others before them; they still look like themselves."""

    def test_look_like_functions(self):
        self.assertEqual((torch.add.__name__, torch.Tensor.add.__name__), ("add", "add"))
        self.assertIs(pickle.loads(pickle.dumps(torch.add)), torch.add)
        self.assertIs(pickle.loads(pickle.dumps(torch.Tensor.add)), torch.Tensor.add)
        self.assertEqual({torch.add: 1}[torch.add.__wrapped__], 1)
        self.assertIn("add", repr(torch.add))
        self.assertEqual(torch.Tensor.add(torch.ones(1), 1).item(), 2)

    def test_a_function_in_a_class_is_no_method(self):
        class Model(torch.nn.Module):
            act = torch.relu

            def forward(self, x):
                return self.act(x)
        self.assertEqual(Model()(torch.tensor([-1.0, 1.0]).npu()).tolist(), [0, 1])

    def test_through_modules(self):
        out, (hidden, _) = torch.nn.LSTM(3, 3).npu()(torch.ones(1, 1, 3).npu())
        self.assertEqual((out.device.type, hidden.device.type), ("npu", "npu"))
        x = torch.ones(2, 4).npu()
        for made in (torch.nn.functional.gelu(x), torch.nn.functional.dropout(x, 0.5),
                     torch.nn.functional.layer_norm(x, (4,)), torch.einsum("ij,kj->ik", x, x),
                     torch.nn.functional.one_hot(x.long(), 3), torch.linalg.norm(x), next(iter(x)),
                     torch.split(x, 1)[0], torch.meshgrid(x[0], x[0], indexing="ij")[1],
                     torch.special.expit(x), torch.fft.fft(x), x.mT, x.grad_fn or x):
            self.assertEqual(made.device.type, "npu")

    def test_one_hot_of_32_bits(self):
        indices = torch.tensor([2, 0], dtype=torch.int32, device="npu")
        self.assertEqual(torch.nn.functional.one_hot(indices, 3).tolist(), [[0, 0, 1], [1, 0, 0]])

    def test_indices_of_32_bits(self):
        index = torch.tensor([0, 2], dtype=torch.int32).npu()
        x = torch.arange(4, dtype=torch.int32).npu()
        self.assertEqual((x[index].tolist(), x[index].dtype), ([0, 2], torch.int32))
        x[index] = 9
        self.assertEqual(x.tolist(), [9, 1, 9, 3])
        self.assertEqual(torch.index_select(x, 0, index).dtype, torch.int32)

    def test_errors_are_torch_s(self):
        x = torch.ones(2, 3).npu()
        with self.assertRaisesRegex(RuntimeError, "size of tensor a"):
            x + torch.ones(4).npu()
        with self.assertRaises(IndexError):
            x[7]
        with self.assertRaises(TypeError):
            torch.add(x, "text")

    def test_no_warnings(self):
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            x = torch.ones(4, 4, device=0).half()
            torch.softmax(x @ x, -1).float().cpu().numpy()
            torch_npu.npu_format_cast(x, 29)
            torch.empty(3, device="npu")
            torch.topk(x, 2)
            torch.zeros(3, device="npu:0").to("cpu")[0].item()


class NamesOfNewerTorch(unittest.TestCase):
    """What programs of torch 2 call; torch 1.13 has none of it."""

    def test_attention(self):
        torch.manual_seed(1)
        query, key, value = (torch.randn(2, 4, n, 8, device="npu") for n in (3, 5, 5))
        function = torch.nn.functional.scaled_dot_product_attention
        scores = query.cpu() @ key.cpu().transpose(-1, -2) / 8 ** 0.5
        torch.testing.assert_close(function(query, key, value).cpu(),
                                   torch.softmax(scores, -1) @ value.cpu())
        allowed = torch.rand(3, 5) > 0.4
        allowed[:, 0] = True
        masked = scores.masked_fill(~allowed, float("-inf"))
        torch.testing.assert_close(function(query, key, value, attn_mask=allowed).cpu(),
                                   torch.softmax(masked, -1) @ value.cpu())
        added = torch.randn(3, 5)
        torch.testing.assert_close(function(query, key, value, added, scale=0.5).cpu(),
                                   torch.softmax(scores * 8 ** 0.5 / 2 + added, -1) @ value.cpu())
        causal = scores.masked_fill(~torch.ones(3, 5).tril().bool(), float("-inf"))
        torch.testing.assert_close(function(query, key, value, is_causal=True).cpu(),
                                   torch.softmax(causal, -1) @ value.cpu())
        half = function(query.half(), key.half(), value.half())
        self.assertEqual(half.dtype, torch.float16)
        torch.testing.assert_close(half.cpu().float(), torch.softmax(scores, -1) @ value.cpu(),
                                   rtol=1e-2, atol=1e-2)

    def test_rms_norm(self):
        x, weight = torch.randn(3, 16), torch.rand(16)
        expected = x * torch.rsqrt(x.pow(2).mean(-1, keepdim=True) + 1e-5)
        torch.testing.assert_close(torch.nn.functional.rms_norm(x, (16,), eps=1e-5), expected)
        layer = torch.nn.RMSNorm(16, eps=1e-5).npu()
        layer.weight.data.copy_(weight)
        torch.testing.assert_close(layer(x.npu()).detach().cpu(), expected * weight)

    def test_sizes(self):
        tensor = torch.zeros(3, 4, dtype=torch.float16)
        self.assertEqual((tensor.itemsize, tensor.nbytes), (2, 24))
        self.assertEqual(tensor[1:].untyped_storage().nbytes(), 24)

    def test_custom_operators(self):
        @torch.library.custom_op("ptosim_newer::twice", mutates_args=())
        def twice(x: torch.Tensor) -> torch.Tensor:
            return x * 2

        @twice.register_fake
        def _(x):
            return torch.empty_like(x)

        @torch.library.custom_op("ptosim_newer::add_to", mutates_args={"x"}, device_types="npu")
        def add_to(x: torch.Tensor, value: float) -> None:
            x.add_(value)

        torch.library.register_fake("ptosim_newer::add_to")(lambda x, value: None)
        x = torch.ones(3, device="npu")
        self.assertEqual(torch.ops.ptosim_newer.twice(x).tolist(), [2, 2, 2])
        self.assertEqual(twice(x).device.type, "npu")
        torch.ops.ptosim_newer.add_to(x, 1.5)
        self.assertEqual(x.tolist(), [2.5, 2.5, 2.5])

    def test_operators_by_name(self):
        torch.library.define("ptosim_newer::neg", "(Tensor x) -> Tensor")

        @torch.library.impl("ptosim_newer::neg", "npu")
        def _(x):
            return -x

        self.assertEqual(torch.ops.ptosim_newer.neg(torch.ones(2, device="npu")).tolist(), [-1, -1])


class Interface(unittest.TestCase):
    def test_limits(self):
        torch.npu.set_device_limit(0, 12, 24)
        self.assertEqual(torch.npu.get_device_limit(0),
                         {"cube_core_num": 12, "vector_core_num": 24})
        stream = torch.npu.Stream()
        torch_npu.npu.set_stream_limit(stream, 8)
        self.assertEqual(torch.npu.get_stream_limit(stream)["cube_core_num"], 8)
        torch.npu.reset_stream_limit(stream)
        self.assertEqual(torch.npu.get_stream_limit(stream)["cube_core_num"], 24)

    def test_memory(self):
        self.assertEqual(torch.npu.max_memory_allocated(), 0)
        torch.npu.reset_peak_memory_stats()
        free, whole = torch.npu.mem_get_info()
        self.assertTrue(0 < free <= whole)

    def test_modules(self):
        from torch_npu.dynamo import torchair
        from torch_npu.dynamo.torchair import CompilerConfig
        from torch_npu.testing.testcase import TestCase, run_tests
        import torchair as itself
        self.assertIs(torchair, itself)
        self.assertIs(CompilerConfig, itself.CompilerConfig)
        self.assertTrue(callable(run_tests))
        case = TestCase()
        case.assertRtolEqual(torch.ones(2, device="npu"), torch.ones(2) * (1 + 5e-5))
        case.assertRtolEqual(torch.ones(2).numpy(), torch.ones(2).numpy())
        for other in (torch.ones(2) * 1.001, torch.ones(3), torch.ones(2).half()):
            with self.assertRaises(AssertionError):
                case.assertRtolEqual(torch.ones(2), other)
        torch.npu.matmul.allow_hf32 = torch.npu.conv.allow_hf32 = False
        self.assertEqual(torch.npu.memory.memory_allocated(), 0)

    def test_unknown_operators(self):
        with self.assertRaisesRegex(AttributeError, "no operator 'npu_no_such'"):
            torch_npu.npu_no_such
        self.assertFalse(hasattr(torch_npu, "no_such"))

    def test_profiler_and_autocast(self):
        with torch_npu.profiler.profile(activities=[]) as profile:
            profile.step()
        with torch.autocast("npu", dtype=torch.bfloat16), torch.npu.amp.autocast():
            self.assertEqual(torch.ones(1, device="npu").device.type, "npu")


class Operators(unittest.TestCase):
    def test_rotary(self):
        x = torch.tensor([[1.0, 2.0, 3.0, 4.0]]).npu()
        cos, sin = torch.full((1, 4), 2.0).npu(), torch.full((1, 4), 10.0).npu()
        # halves (1 2 | 3 4): rotated (-3 -4 1 2); pairs: rotated (-2 1 -4 3)
        self.assertEqual(torch_npu.npu_rotary_mul(x, cos, sin).tolist(), [[-28, -36, 16, 28]])
        self.assertEqual(torch_npu.npu_rotary_mul(x, cos, sin, "interleave").tolist(),
                         [[-18, 14, -34, 38]])

    def test_attention(self):
        torch.manual_seed(3)
        q, k, v = (torch.randn(2, 5, 8, dtype=torch.float64).npu() for _ in range(3))
        expected = torch.zeros(2, 5, 8, dtype=torch.float64)
        for b in range(2):
            for h in range(2):
                part = slice(4 * h, 4 * h + 4)
                scores = q[b, :, part].cpu() @ k[b, :, part].cpu().t() * 0.5
                expected[b, :, part] = torch.softmax(scores, -1) @ v[b, :, part].cpu()
        found = torch_npu.npu_fusion_attention(q, k, v, 2, "BSH", scale=0.5)[0]
        self.assertLess((found.cpu() - expected).abs().max().item(), 1e-5)
        other = torch_npu.npu_prompt_flash_attention(q, k, v, num_heads=2, scale_value=0.5)
        self.assertLess((other.cpu() - expected).abs().max().item(), 1e-5)

    def test_experts(self):
        x = torch.tensor([[0.0, 2.0, 1.0]]).npu()
        weights, experts, rows = torch_npu.npu_moe_gating_top_k_softmax(x, k=2)
        self.assertEqual((experts.tolist(), rows.tolist()), ([[1, 2]], [[0, 1]]))
        self.assertAlmostEqual(weights[0, 0].item(), 0.66524, 4)  # e² / (1 + e + e²)
        x, w = torch.eye(3).npu(), torch.stack([torch.eye(3), 2 * torch.eye(3)]).npu()
        parts = torch_npu.npu_grouped_matmul([x], [w], group_list=[1, 3], split_item=2)
        self.assertEqual(parts[0].tolist(), [[1, 0, 0], [0, 2, 0], [0, 0, 2]])

    def test_updates(self):
        x = torch.zeros(3, 2).npu()
        places = torch.tensor([[0], [2]], dtype=torch.int32).npu()
        torch_npu.npu_scatter_nd_update_(x, places, torch.ones(2, 2).npu())
        self.assertEqual(x.tolist(), [[1, 1], [0, 0], [1, 1]])


if __name__ == "__main__":
    support.main()
