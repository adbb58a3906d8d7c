"""What of the public names has no effect here, and what is not simulated: for docs/kernel-authors/simulator.md
(scripts/make_sim_coverage.py) and for the test that both agree with what the names do."""

# They take what the product takes, check it, keep what can be asked for again, and change nothing.
IGNORED = {
    "settings of speed, code generation and debugging": (
        "set_pass_options", "set_host_options", "set_codegen_options", "set_debug_options",
        "set_matrix_size", "set_build_static", "set_pass_config", "set_pass_default_config",
        "set_print_options", "set_conv_tile_shapes"),
    "the product's own checking of graphs, which the simulator does not have": (
        "set_verify_golden_data", "pass_verify_print"),
    "a label for traces": ("set_semantic_label",),
}

# They exist and raise a NotImplementedError that names them.
NOT_SIMULATED = {
    "communication between devices: there is one device": (
        "create_shmem_tensor", "create_shmem_signal", "shmem_view", "shmem_put", "shmem_get",
        "shmem_signal", "shmem_wait_until", "shmem_barrier_all", "shmem_clear_data",
        "shmem_clear_signal", "my_symbolic_pe"),
}

# AttributeErrors that say since which version the product has the name.
SINCE_9_2 = ("SatStatus", "ir", "isnan", "jit", "pack", "pil", "unpack")

# They are visible in the product's package because its modules import them. AttributeErrors, too.
NOT_API = (
    "Any", "ConvParams", "Dict", "List", "Optional", "Sequence", "Tuple", "Type", "Union", "cls",
    "convert_to_element", "dataclass", "ensure_pypto_impl", "enum", "get_scatter_mode", "np",
    "overload", "pypto", "re", "struct", "sys", "to_sym", "to_syms", "torch", "uniform_impl", "wraps")
