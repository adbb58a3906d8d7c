"""The stand-in for torch_npu: devices, torch.npu, formats, graphs, libraries."""
import copy
import io
import os
import pickle
import unittest
import unittest.mock

os.environ["PTOSIM_RUN_MODE"] = "SIM"  # as `pypto-lint run` does

import support  # noqa: E402  (ends with 77 without torch)
import torch  # noqa: E402
import torch_npu  # noqa: E402

import pypto  # noqa: E402
from pypto.error import PyptoError  # noqa: E402

F32 = pypto.DT_FP32


@pypto.frontend.jit
def double_kernel(x: pypto.Tensor([8, 16], F32), y: pypto.Tensor([8, 16], F32)):
    pypto.set_vec_tile_shapes(8, 16)
    y[:] = x + x


class Devices(unittest.TestCase):
    def on_device(self, tensor, index=0):
        self.assertEqual((tensor.device.type, tensor.device.index, str(tensor.device)),
                         ("npu", index, "npu:%d" % index))
        self.assertTrue(tensor.is_npu)

    def on_host(self, tensor):
        self.assertEqual((tensor.device.type, str(tensor.device)), ("cpu", "cpu"))
        self.assertFalse(tensor.is_npu)

    def test_names(self):
        for device in ("npu", "npu:0", torch.device("npu"), torch.device("npu:0"),
                       torch.device("npu", 0), torch.device(type="npu", index=0)):
            with self.subTest(device):
                self.on_device(torch.zeros(2, device=device))
        self.on_device(torch.zeros(2, device="npu:3"), 3)
        self.on_device(torch.zeros(2).to("npu:1"), 1)
        self.assertEqual(torch.device("npu:0"), torch.device("npu", 0))
        self.assertNotEqual(torch.device("npu:0"), torch.device("npu:1"))
        self.assertIsInstance(torch.device("npu:0"), torch.device)
        self.assertIsInstance(torch.zeros(1, device="npu").device, torch.device)
        self.assertIsInstance(torch.device("cpu"), torch.device)
        self.assertEqual(torch.device("cpu").type, "cpu")
        with self.assertRaises(RuntimeError):
            torch.device("no-such-device")

    def test_factories(self):
        made = (torch.zeros(2, 3, device="npu"), torch.ones(2, 3, device="npu:0"),
                torch.empty(2, 3, device="npu"), torch.full((2, 3), 7.0, device="npu"),
                torch.rand(2, 3, device="npu"), torch.randn(2, 3, device="npu"),
                torch.tensor([[1.0, 2.0]], device="npu"), torch.arange(6, device="npu"),
                torch.eye(3, device="npu"), torch.linspace(0, 1, 5, device="npu"),
                torch.randint(0, 9, (2,), device="npu"), torch.randperm(4, device="npu"),
                torch.as_tensor([1, 2], device="npu"),
                torch.empty_strided((2,), (1,), device="npu"),
                torch.zeros_like(torch.zeros(2), device="npu"))
        for tensor in made:
            self.on_device(tensor)
        self.on_device(torch.zeros(2, device="npu").new_zeros(3))
        self.on_host(torch.zeros(2))
        self.on_host(torch.zeros_like(torch.zeros(2, device="npu"), device="cpu"))

    def test_results_stay_where_their_operands_are(self):
        x = torch.arange(6.0, device="npu").reshape(2, 3)
        for tensor in (x + 1, 1 - x, x * x, -x, x.t(), x.T, x[0], x[:, 1:], x.sum(), x.exp(),
                       torch.softmax(x, -1), torch.cat([x, x]), torch.stack([x, x]), x.clone(),
                       x.detach(), x.data, x.float(), x.half(), x.int(), x > 1, x.reshape(6),
                       x.view(3, 2), x.chunk(3, 1)[2], x.max(1).values, x.to(torch.float64),
                       torch.zeros_like(x), torch.where(x > 1, x, -x), x.contiguous(),
                       x.unsqueeze(0), x.expand(2, 3), torch.topk(x, 2).indices):
            self.on_device(tensor)
        x += 1
        self.on_device(x)

    def test_moves_copy(self):
        host = torch.arange(4.0)
        device = host.to("npu:0")
        self.on_device(device)
        self.on_host(host)
        device[0] = 9
        self.assertEqual(host.tolist(), [0, 1, 2, 3])
        back = device.cpu()
        self.on_host(back)
        back[1] = 9
        self.assertEqual(device.tolist(), [9, 1, 2, 3])
        self.assertEqual(back.tolist(), [9, 9, 2, 3])
        self.on_host(device.to("cpu"))
        self.on_device(host.npu())
        self.on_device(host.npu(2), 2)
        self.on_device(host.npu("npu:2"), 2)
        self.on_device(host.to(device))
        self.on_device(host.to("npu", torch.int32))
        self.on_device(host.to("npu", non_blocking=True))
        self.on_device(host.to(device="npu", dtype=torch.float16))
        self.assertEqual(host.to("npu", torch.int32).dtype, torch.int32)
        self.assertEqual(host.to(device="npu", dtype=torch.float16).dtype, torch.float16)
        self.assertIs(device.to("npu:0"), device)
        self.assertIs(host.to("cpu"), host)
        self.on_device(device.to("npu:1"), 1)
        self.on_device(device.to(torch.int8))

    def test_a_copy_is_contiguous(self):
        host = torch.arange(6.0).reshape(2, 3).t()
        self.assertFalse(host.is_contiguous())
        device = host.to("npu")
        self.assertTrue(device.is_contiguous())
        self.assertEqual(device.tolist(), [[0, 3], [1, 4], [2, 5]])
        self.assertTrue(host.to("npu", torch.float16).is_contiguous())

    def test_host_memory_is_not_shared(self):
        host = torch.arange(3.0)
        for device in (torch.as_tensor(host, device="npu"),
                       torch.as_tensor(host.numpy(), device="npu"),
                       torch.tensor([0.0, 1.0, 2.0], device="npu")):
            self.on_device(device)
            device[0] = 5
        self.on_host(host)
        self.assertEqual(host.tolist(), [0, 1, 2])

    def test_out(self):
        host, device = torch.zeros(2), torch.ones(2, device="npu")
        torch.add(device, device, out=host)
        self.on_host(host)
        self.on_device(torch.add(device, device, out=torch.zeros(2, device="npu")))

    def test_a_copy_that_is_asked_for(self):
        device = torch.zeros(2, device="npu")
        for other in (device.to("npu", torch.float32, False, True), device.to("npu", copy=True),
                      device.to(torch.float32, copy=True)):
            self.on_device(other)
            other[0] = 1
        self.assertEqual(device.tolist(), [0, 0])

    def test_copy_between(self):
        device, host = torch.zeros(3, device="npu"), torch.ones(3)
        self.assertIs(device.copy_(host), device)
        self.on_device(device)
        host.copy_(device + 1)
        self.on_host(host)
        self.assertEqual((device.tolist(), host.tolist()), ([1, 1, 1], [2, 2, 2]))

    def test_no_host_memory(self):
        device = torch.arange(3.0, device="npu")
        with self.assertRaisesRegex(TypeError, "Use Tensor.cpu"):
            device.numpy()
        self.assertEqual(device.cpu().numpy().tolist(), [0, 1, 2])
        self.assertEqual((device.tolist(), device[1].item()), ([0, 1, 2], 1.0))

    def test_copies_of_the_object(self):
        device = torch.arange(3.0, device="npu:1")
        self.on_device(copy.deepcopy(device), 1)
        shallow = copy.copy(device)
        self.on_device(shallow, 1)
        shallow[0] = 7
        self.assertEqual(device.tolist(), [7, 1, 2])
        device[0] = 0
        self.assertEqual((device.get_device(), torch.zeros(1).get_device()), (1, -1))
        self.assertEqual(pickle.loads(pickle.dumps(device.device)), device.device)
        self.assertEqual(repr(device.device), "device(type='npu', index=1)")
        self.assertIn("0., 1., 2.", repr(device))

    def test_saved(self):
        file = io.BytesIO()
        torch.save(torch.arange(3.0), file)
        file.seek(0)
        loaded = torch.load(file, map_location="npu:0")
        self.on_device(loaded)
        self.assertEqual(loaded.tolist(), [0, 1, 2])
        file = io.BytesIO()
        torch.save({"a": [torch.arange(3.0, device="npu")]}, file)
        for place, check in (("cpu", self.on_host), ("npu:1", lambda t: self.on_device(t, 1))):
            file.seek(0)
            check(torch.load(file, map_location=place)["a"][0])

    def test_modules(self):
        model = torch.nn.Sequential(torch.nn.Linear(4, 3), torch.nn.BatchNorm1d(3))
        self.assertIs(model.to("npu:0"), model)
        for tensor in list(model.parameters()) + list(model.buffers()):
            self.on_device(tensor)
        model.eval()
        with torch.no_grad():
            self.on_device(model(torch.ones(2, 4, device="npu")))
        model.to("npu", torch.float64)
        self.on_device(model[0].weight)
        self.assertEqual(model[0].weight.dtype, torch.float64)
        model.to(torch.float32)
        self.on_device(model[0].weight)
        self.on_host(model.to("cpu")[0].weight)
        self.on_device(model.npu()[0].weight)
        self.on_host(model.cpu()[0].weight)

    def test_modules_made_on_the_device(self):
        model = torch.nn.Linear(3, 2, device="npu:0", dtype=torch.float32)
        self.on_device(model.weight)
        self.assertIsInstance(model.weight, torch.nn.Parameter)
        model(torch.ones(1, 3, device="npu")).sum().backward()
        self.on_device(model.weight.grad)
        self.assertEqual(model.weight.grad.tolist(), [[1, 1, 1], [1, 1, 1]])
        before = model.bias.detach().cpu()
        torch.optim.SGD(model.parameters(), lr=0.5).step()
        self.on_device(model.bias)
        self.assertEqual(model.bias.tolist(), (before - 0.5).tolist())
        self.on_device(torch.nn.Parameter(torch.ones(2, device="npu")))
        self.on_host(torch.nn.Parameter(torch.ones(2)))
        self.on_device(copy.deepcopy(model).weight)

    def test_other_devices_are_refused(self):
        if not torch.cuda.is_available():
            for tensor in (torch.ones(2), torch.ones(2, device="npu")):
                with self.assertRaises((RuntimeError, AssertionError)):
                    tensor.to("cuda")
        with self.assertRaises(RuntimeError):
            torch.ones(2).to("npu:x")

    def test_generator(self):
        one = torch.rand(4, generator=torch.Generator(device="npu").manual_seed(5), device="npu")
        two = torch.rand(4, generator=torch.Generator().manual_seed(5))
        self.on_device(one)
        self.assertEqual(one.tolist(), two.tolist())

    def test_gradients(self):
        x = torch.tensor([1.0, 2.0], device="npu", requires_grad=True)
        (x * x).sum().backward()
        self.assertEqual(x.grad.tolist(), [2, 4])
        w = torch.ones(2, 2, device="npu", requires_grad=True)
        (w @ torch.eye(2, device="npu")).sum().backward()
        self.assertEqual(w.grad.tolist(), [[1, 1], [1, 1]])


class Interface(unittest.TestCase):
    def test_module(self):
        self.assertIs(torch.npu, torch_npu.npu)
        self.assertTrue(torch_npu.__version__.endswith("+ptosim"))
        import torch.npu as again
        self.assertIs(again, torch.npu)

    def test_device_choice(self):
        npu = torch.npu
        self.addCleanup(npu.set_device, 0)
        for given, index in ((1, 1), ("npu:2", 2), (torch.device("npu:3"), 3), ("npu:0", 0)):
            npu.set_device(given)
            self.assertEqual(npu.current_device(), index)
            self.assertEqual(torch.zeros(1, device="npu").device.index, index)
            self.assertEqual(torch.zeros(1).npu().device.index, index)
        for wrong in ("cuda:0", -1, "x"):
            with self.assertRaises(RuntimeError):
                npu.set_device(wrong)
        with npu.device(4):
            self.assertEqual(npu.current_device(), 4)
        self.assertEqual(npu.current_device(), 0)

    def test_questions(self):
        npu = torch.npu
        self.assertEqual((npu.is_available(), npu.is_initialized(), npu.memory_reserved()),
                         (True, True, 0))
        self.assertGreaterEqual(npu.device_count(), 1)
        self.assertIsInstance(npu.get_device_name(), str)
        self.assertIsNone(npu.synchronize())
        self.assertIsNone(npu.empty_cache())
        self.assertTrue(hasattr(npu.config, "allow_internal_format"))
        npu.config.allow_internal_format = False

    def test_seeds(self):
        for seed in (torch.npu.manual_seed, torch.npu.manual_seed_all, torch.manual_seed):
            seed(7)
            first = torch.rand(3, device="npu").tolist()
            seed(7)
            self.assertEqual(torch.rand(3, device="npu").tolist(), first)

    def test_streams(self):
        npu = torch.npu
        self.assertIsInstance(npu.current_stream().npu_stream, int)
        self.assertIs(npu.current_stream(), npu.default_stream())
        stream = npu.Stream()
        with npu.stream(stream):
            self.assertIs(npu.current_stream(), stream)
        self.assertIsNot(npu.current_stream(), stream)
        stream.synchronize()
        stream.wait_stream(npu.current_stream())
        start, end = npu.Event(enable_timing=True), npu.Event(enable_timing=True)
        start.record()
        end.record()
        end.synchronize()
        self.assertGreaterEqual(start.elapsed_time(end), 0)

    def test_formats(self):
        x = torch.arange(6.0, device="npu").reshape(2, 3)
        self.assertEqual(torch_npu.get_npu_format(x), 2)
        for wanted in (29, torch_npu.Format.FRACTAL_NZ):
            cast = torch_npu.npu_format_cast(x, wanted)
            self.assertEqual(torch_npu.get_npu_format(cast), 29)
            self.assertEqual(cast.tolist(), x.tolist())
            self.assertEqual(cast.device.type, "npu")
        self.assertEqual(torch_npu.get_npu_format(x), 2)
        back = torch_npu.npu_format_cast(cast, 2)
        self.assertEqual(torch_npu.get_npu_format(back), 2)

    def test_kernels_look_at_the_format(self):
        @pypto.frontend.jit
        def kernel(a: pypto.Tensor([32, 32], pypto.DT_FP16),
                   b: pypto.Tensor([32, 32], pypto.DT_FP16, format=pypto.TileOpFormat.TILEOP_NZ),
                   y: pypto.Tensor([32, 32], F32)):
            pypto.set_cube_tile_shapes([32, 32], [32, 32], [32, 32])
            y[:] = pypto.matmul(a, b, F32)
        a = torch.ones(32, 32, dtype=torch.float16, device="npu")
        b = (torch.eye(32, device="npu") * 2).half()
        y = torch.zeros(32, 32, device="npu")
        with self.assertRaisesRegex(PyptoError, "ValueError"):
            kernel(a, b, y)
        kernel(a, torch_npu.npu_format_cast(b, 29), y)
        self.assertEqual(y.unique().tolist(), [2])

    def test_kernels_take_device_tensors(self):
        x, y = torch.ones(8, 16, device="npu"), torch.zeros(8, 16, device="npu")
        double_kernel(x, y)
        self.assertEqual(y.unique().tolist(), [2])

    def test_tensors_of_a_launch_are_in_one_place(self):
        for mode in ("", "SIM", "NPU"):
            with unittest.mock.patch.dict("os.environ", {"PTOSIM_RUN_MODE": mode}):
                with self.assertRaisesRegex(PyptoError, "All input tensors must be on the same "
                                            "device: x on 'cpu'; y on 'npu'"):
                    double_kernel(torch.ones(8, 16), torch.zeros(8, 16, device="npu"))
        host = pypto.frontend.jit(runtime_options={"ready_on_host_tensors": ["x"]})(
            double_kernel._original_func)
        y = torch.zeros(8, 16, device="npu")
        with unittest.mock.patch.dict("os.environ", {"PTOSIM_RUN_MODE": "SIM"}):
            host(torch.ones(8, 16), y)
        self.assertEqual(y.unique().tolist(), [2])

    def test_type_as_moves(self):
        there = torch.ones(2, dtype=torch.float16, device="npu").type_as(torch.zeros(1))
        self.assertEqual((there.dtype, there.device.type), (torch.float32, "cpu"))
        back = there.type_as(torch.ones(2, dtype=torch.float16, device="npu:1"))
        self.assertEqual((back.dtype, str(back.device)), (torch.float16, "npu:1"))


class Graphs(unittest.TestCase):
    def test_replay(self):
        x, y = torch.ones(8, 16, device="npu"), torch.zeros(8, 16, device="npu")
        z = torch.zeros(8, 16, device="npu")
        graph = torch.npu.NPUGraph()
        with torch.npu.graph(graph):
            double_kernel(x, y)
            double_kernel(y, z)
        x.fill_(5)
        graph.replay()
        self.assertEqual((y.unique().tolist(), z.unique().tolist()), ([10], [20]))
        double_kernel(torch.zeros(8, 16, device="npu"), y)  # outside: not part of it
        x.fill_(1)
        graph.replay()
        self.assertEqual((y.unique().tolist(), z.unique().tolist()), ([2], [4]))
        graph.reset()
        x.fill_(3)
        graph.replay()
        self.assertEqual(y.unique().tolist(), [2])

    def test_an_error_ends_the_capture(self):
        graph = torch.npu.NPUGraph()
        with self.assertRaises(KeyError), torch.npu.graph(graph):
            raise KeyError("x")
        y = torch.zeros(8, 16, device="npu")
        double_kernel(torch.ones(8, 16, device="npu"), y)
        y.zero_()
        graph.replay()
        self.assertEqual(y.unique().tolist(), [0])

    def test_compile(self):
        def function(x):
            return x + 1
        compiled = torch.compile(function)
        self.assertEqual(compiled(torch.zeros(2, device="npu")).tolist(), [1, 1])

        @torch.compile(dynamic=False)
        def other(x):
            return x * 2
        self.assertEqual(other(torch.ones(2)).tolist(), [2, 2])

    def test_torchair(self):
        import torchair
        config = torchair.CompilerConfig()
        config.mode = "reduce-overhead"
        backend = torchair.get_npu_backend(compiler_config=config)
        compiled = torch.compile(lambda x: x + 1, backend=backend, fullgraph=True)
        self.assertEqual(compiled(torch.zeros(1, device="npu")).tolist(), [1])

    def test_dynamo(self):
        import torch._dynamo
        function = torch._dynamo.allow_in_graph(lambda x: x + 1)
        self.assertEqual(function(1), 2)
        from torch._subclasses.fake_tensor import FakeTensor
        self.assertNotIsInstance(torch.zeros(1, device="npu"), FakeTensor)


class Unwritten(unittest.TestCase):
    """A result that a kernel forgot to write must not hold a reference's freed memory."""

    def test_memory_that_was_freed(self):
        for make in (lambda: torch.empty(4096), lambda: torch.empty_like(torch.zeros(4096)),
                     lambda: torch.empty(4096, device="npu:0"),
                     lambda: torch.zeros(1).new_empty(4096)):
            for _ in range(8):
                old = torch.ones(4096)
                del old
                self.assertTrue(bool(torch.isnan(make()).all()))

    def test_integers(self):
        self.assertEqual(torch.empty(3, dtype=torch.int32).tolist(), [2**31 - 1 - 0x25] * 3)
        self.assertEqual(torch.empty(3, dtype=torch.bool).tolist(), [True] * 3)


class Libraries(unittest.TestCase):
    def test_fragments(self):
        library = torch.library.Library("ptosim_test", "FRAGMENT")
        library.define("twice(Tensor x) -> Tensor")

        @torch.library.impl(library, "twice", "NPU")
        def twice(x):
            y = torch.empty_like(x)
            double_kernel(x, y)
            return y
        other = torch.library.Library("ptosim_test", "FRAGMENT")
        other.define("plus(Tensor x, Tensor y) -> Tensor")
        torch.library.impl(other, "plus", "PrivateUse1")(lambda x, y: x + y)
        x = torch.ones(8, 16, device="npu")
        self.assertEqual(torch.ops.ptosim_test.twice(x).unique().tolist(), [2])
        result = torch.ops.ptosim_test.plus(x, x)
        self.assertEqual((result.unique().tolist(), result.device.type), ([2], "npu"))

    def test_registered_by_the_library(self):
        library = torch.library.Library("ptosim_method", "FRAGMENT")
        library.define("minus(Tensor x, Tensor y) -> Tensor")
        library.impl("minus", lambda x, y: x - y, "PrivateUse1")
        x = torch.ones(2, device="npu")
        self.assertEqual(torch.ops.ptosim_method.minus(x, x).tolist(), [0, 0])

    def test_meta_and_npu(self):
        library = torch.library.Library("ptosim_meta", "FRAGMENT")
        library.define("same(Tensor x) -> Tensor")
        torch.library.impl(library, "same", "Meta")(torch.empty_like)
        torch.library.impl(library, "same", "NPU")(lambda x: x.clone())
        self.assertEqual(torch.ops.ptosim_meta.same(torch.ones(2, device="npu")).tolist(), [1, 1])


class Compatibility(unittest.TestCase):
    def test_names_of_newer_torch(self):
        a = torch.arange(4.0)
        self.assertEqual(torch.concatenate([a, a]).shape, (8,))
        places = torch.unravel_index(torch.tensor([0, 5, 23]), (2, 3, 4))
        # 5 = 0·12 + 1·4 + 1, 23 = 1·12 + 2·4 + 3
        self.assertEqual([p.tolist() for p in places], [[0, 0, 1], [0, 1, 2], [0, 1, 3]])


if __name__ == "__main__":
    support.main()
