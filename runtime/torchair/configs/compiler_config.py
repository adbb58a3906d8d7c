"""torchair.configs.compiler_config: settings of the compiler. Any can be set; none has an effect."""

__all__ = ["CompilerConfig"]


class _Settings:
    """Attributes by any name. One that nobody has set is another such object, so that
    `config.experimental_config.frozen_parameter = True` works."""

    def __getattr__(self, name):
        if name.startswith("__"):
            raise AttributeError(name)
        made = _Settings()
        self.__dict__[name] = made
        return made

    def __bool__(self):
        return bool(self.__dict__)

    def __repr__(self):
        return "%s(%s)" % (type(self).__name__, ", ".join(
            "%s=%r" % item for item in sorted(self.__dict__.items())))


class CompilerConfig(_Settings):
    """What get_npu_backend(compiler_config=…) takes."""

    def __init__(self, **settings):
        self.__dict__.update(settings)

    def as_dict(self):
        """The settings that were made."""
        return dict(self.__dict__)
