"""What tests of post-edit share."""
from hook_support import COMMON, HookTest, edit_event


class PostEditTest(HookTest):
    """Edits of an operator's files, as an editor reports them."""

    def edit(self, path, form=COMMON, **more):
        return self.hook("post-edit", edit_event(path), form, **more)

    def rewrite(self, op, name, text):
        path = op / name
        path.parent.mkdir(exist_ok=True)
        path.write_text(text, encoding="utf-8")
        return path
