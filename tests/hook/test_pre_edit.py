#!/usr/bin/env python3
"""pre-edit: the state file is not written, shell commands do not write artifacts, backups at stage 6."""
import os
import shutil
import subprocess
import time
import unittest

from hook_support import CLEAN_IMPL, COMMON, OLD, HookTest, edit_event, main

STATE = ".orchestrator_state.json"
SHELL_WRITE = "禁止通过 bash/shell 写入算子产物文件"
STATE_WRITE = "禁止通过 bash/shell 直接写入"

# Commands that run in an operator directory: what is refused, and what is not (docs/agents/hooks.md).
WRITES_ARTIFACT = [
    # Redirections.
    "echo x > a_impl.py", "echo x >> dir/a_golden.py", "cat b >  'dir/test_a.py'", "cat > a_impl.py", "> a_impl.py",
    "cat b >| a_impl.py", "cat b 1> a_impl.py", "cat b 1>>a_impl.py", "make 2> a_impl.py", "make &> a_impl.py",
    "make >& a_impl.py", "make &>> a_impl.py", "exec 3<> a_impl.py", "exec {fd}> a_impl.py", "cat b > ./a_impl.py",
    "cat b > \"a_impl.py\"", "cat b > a_'impl'.py", "cat b > a\\_impl.py", "cat b > $'a_impl.py'",
    "cat b > $PWD/a_impl.py", "cat b > my-op_impl.py", "cat b > 算子_impl.py", "cat b >a_impl.py;ls",
    # Here-documents.
    "cat <<E >test_a.py\nx\nE", "cat > a_impl.py <<'E'\nimport pypto\nE", "cat <<-E > a_impl.py\n\tx\n\tE",
    "cat <<A <<B > a_impl.py\nx\nA\ny\nB", "cat <<E\nx\nE\necho > a_impl.py", "cat <<< x > a_impl.py",
    "python3 - <<E\nopen('a_impl.py', 'w').write('x')\nE", "python3 <<'E'\nfrom pathlib import Path\n"
    "Path('a_impl.py').write_text('x')\nE", "bash <<E\nrm a_impl.py\nE", "sh -s <<E\necho > a_impl.py\nE",
    # Programs.
    "tee a_impl.py", "cat x | sudo tee a_impl.py", "tee -a log a_impl.py < b", "cp x a_impl.py", "cp -f x ./d/a_impl.py",
    "cp ../b/a_impl.py .", "cp b/a_impl.py c/", "cp -t c b/a_impl.py", "cp --target-directory=c b/a_impl.py",
    "sudo mv x a_golden.py", "mv a_impl.py y", "mv a_impl.py /tmp/y", "cd d && rm -f test_a.py", "/bin/rm a_impl.py",
    "true; ln -s x a_impl.py", "ln -sf ../b/a_impl.py", "ln a_impl.py b.py", "false || install x a_impl.py",
    "install -m 644 x a_impl.py", "rsync -a b/a_impl.py ./", "truncate -s 0 a_impl.py", "unlink a_impl.py",
    "dd if=x of=a_impl.py", "sponge a_impl.py", "ed -s a_impl.py", "curl -o a_impl.py http://x", "sort -o a_impl.py b",
    "wget -O a_impl.py http://x", "tar -xf b.tar a_impl.py",
    "sed -i s/a/b/ a_impl.py", "sed -e s/a/b/ -i.bak a_impl.py", "sed --in-place s/a/b/ a_impl.py",
    "sed -Ei s/a/b/ a_impl.py", "sed -n -i p *_impl.py", "perl -i -pe s/a/b/ a_impl.py", "perl -pi -e s/a/b/ a_impl.py",
    "perl -i.bak -pe s/a/b/ a_impl.py", "perl -e 'open(F, \">a_impl.py\")'", "ruby -i -pe x a_impl.py",
    "awk -i inplace '{print}' a_impl.py", "awk '{print > \"a_impl.py\"}' b",
    "node -e \"require('fs').writeFileSync('a_impl.py', 'x')\"",
    # Python on the command line.
    "python3 -c \"open('a_impl.py','w').write('x')\"", "python -c 'open(\"a_impl.py\", \"ab+\")'",
    "python3 -c \"open('a_impl.py','r+')\"", "python3.11 -c \"open('a_impl.py','w')\"",
    "python3 -B -c \"import shutil; shutil.copyfile('x', 'a_golden.py')\"",
    "python3 -c \"from pathlib import Path; Path('test_a.py').write_text('')\"",
    "python3 -c \"from pathlib import Path; Path('test_a.py').unlink()\"",
    "python3 -c 'import os; os.remove(\"a_impl.py\")'", "python3 -c 'f(\"a_impl.py\").truncate(0)'",
    "python3 -c 'import os, sys; os.replace(\"x\", sys.argv[1])' a_impl.py",
    # git and patches.
    "git checkout a_impl.py", "git checkout HEAD~1 -- d/a_impl.py", "git restore a_impl.py", "git -C d restore a_impl.py",
    "git rm a_impl.py", "git mv a_impl.py b.py", "git apply <<E\n--- a/a_impl.py\n+++ b/a_impl.py\nE",
    "patch a_impl.py < x.diff", "patch -p1 <<E\n+++ b/a_impl.py\nE", "git show HEAD:a_impl.py > a_impl.py",
    "apply_patch <<'E'\n*** Begin Patch\n*** Add File: d/a_impl.py\n+x\n*** End Patch\nE",
    "cd d && apply_patch '*** Begin Patch\n*** Update File: README.md\n@@\n+a|b;c\n"
    "*** Delete File: test_a.py\n*** End Patch'",
    # Through other commands.
    "env A=b cp x a_impl.py", "A=b cp x a_impl.py", "env -u A sed -i s/a/b/ a_impl.py", "nohup rm a_impl.py &",
    "timeout 5 tee a_impl.py", "timeout -s KILL 5 rm a_impl.py", "nice -n 5 rm a_impl.py", "time rm a_impl.py",
    "(cat b > a_impl.py)", "{ rm a_impl.py; }", "if true; then rm a_impl.py; fi", "true\nrm a_impl.py", "true & rm a_impl.py",
    "! rm a_impl.py", "x=$(rm a_impl.py)", "echo `rm a_impl.py`", "echo \"$(cat b > a_impl.py)\"", "cat b > >(tee a_impl.py)",
    "bash -c 'rm a_impl.py'", "sudo sh -lc \"echo > a_impl.py\"", "bash -c \"bash -c 'rm a_impl.py'\"",
    "eval 'rm a_impl.py'", "eval rm a_impl.py", "ls *_impl.py | xargs rm", "ls a_impl.py | xargs -n 1 sed -i s/a/b/",
    "ls a_impl.py | xargs -I {} cp b {}", "find . -name '*_impl.py' -delete", "find . -name a_impl.py -exec sed -i s/a/b/ {} +",
    "find . -name a_impl.py -exec sh -c 'rm $0' {} \\; -exec rm {} \\;",
    "f=a_impl.py; cat b > $f", "f=a_impl.py && sed -i s/a/b/ \"$f\"", "F=d/a; rm ${F}_impl.py",
    "for f in a_impl.py b_impl.py; do sed -i s/a/b/ $f; done", "for f in $(ls *_impl.py); do rm $f; done",
    # Words that the shell makes: quotes with escapes, braces, values of variables that are not set.
    "rm $'a\\x5fimpl.py'", "rm $'a\\137impl.py'", "rm $'a\\u005fimpl.py'", "rm $'a_\\x69mpl.p\\171'", "rm x$'\\n' a$'_impl.py'",
    "rm $'it\\'s_impl.py'", "rm $'a\\U0000005fimpl.py'", "rm a_{impl,golden}.py", "tee {a,b}_impl.py", "rm a_impl.{txt,py}",
    "sed -i s/a/b/ {x,y/{b,test_a}}.py", "cp x {b,a_impl}.py", "rm a_{b,{c,impl}}.p{x,y}", "for f in a_{impl,golden}.py; do rm $f; done",
    "cat b > a_{impl,x}.py", "rm {a,b,c}_\\{x,y}_impl.py", "rm ${f:-a_impl.py}", "rm \"${f:-a_impl.py}\"", "cat b > ${f-a_impl}.py",
    "rm ${f:='a_impl.py'}", "rm ${f:-${g:-a_impl.py}}", "rm d/${f:-\"a\"}_impl.py", "f=; rm ${f:-a_impl.py}", "rm ${f:+a_impl.py}",
    "rm ${f:-b} a_impl.py", "f=b.txt; rm ${f:-c} a_impl.py", "{ rm ${f:-x} a_impl.py; }", "echo ${f:-$(rm a_impl.py)}",
    "cp x_impl.py ~/custom/x/", "cp a_impl.py ~+/", "cd /tmp; cd -; cat > x_impl.py",
    "python3 -c \"f=open; f('a_impl.py', m).write('x')\"", "python3 -c \"open('log', 'w'); open('a_impl.py', 'w')\"",
    "python3 -c \"open('log', 'w'); open(p, 'w').write('a_impl.py')\"", "python3 -c \"Path('a_impl.py').open('w').write('x')\"",
    "python3 -c \"open('log', 'w'); Path('a_impl.py').write_text('x')\"", "python3 -c \"open(file='a_impl.py', mode='w')\"",
    "ls *_impl.py | while read f; do rm $f; done", "cd /nowhere && rm test_a.py || true; cd $X; rm test_a.py",
]
LEAVES_ARTIFACT = [
    "cat a_impl.py", "ls -l a_impl.py", "stat test_a.py", "grep -n x a_golden.py", "wc -l test_a.py", "touch a_impl.py",
    "diff a_impl.py b_impl.py", "head -3 a_impl.py", "find . -name a_impl.py", "python3 test_a.py", "chmod +x a_impl.py",
    "find . -name a_impl.py -exec cat {} +", "ls a_impl.py | xargs cat", "for f in *_impl.py; do cat $f; done",
    "python3 -m pytest test_a.py -q", "python3 test_a.py > log.txt 2>&1", "python3 test_a.py | tee log", "pytest test_a.py",
    "python3 -c \"print(open('a_impl.py').read())\"", "python3 -c 'import a_impl'", "cat < a_impl.py", "cat a_impl.py 2>&1",
    "python3 -c \"exec(open('test_a.py', 'r').read())\"", "echo x > README.md", "echo x > notes_impl.txt",
    "python3 -c \"open('log', 'w').write('x')\"; cat a_impl.py", "python3 - <<E\nprint(open('a_impl.py').read())\nE",
    "python3 a_impl.py <<E\nopen('x', 'w')\nE", "black a_impl.py", "pypto-lint check --fix a_impl.py",
    "apply_patch <<'E'\n*** Begin Patch\n*** Add File: README.md\n+see a_impl.py\n*** End Patch\nE",
    "cat apply_patch '*** a_impl.py'", "cp a b", "sed -n 1,3p a_impl.py", "sed -in a_impl_py", "rm _impl.py.txt", "", "tee",
    "git add a_impl.py", "git diff -- a_impl.py", "git commit -m 'a_impl.py' a_impl.py", "git log a_impl.py", "git checkout main",
    "git apply x.diff", "git stash", "echo 'rm a_impl.py'", "echo \"cat > a_impl.py\"", "# rm a_impl.py", "ls # > a_impl.py",
    "grep 'v > x_impl.py' f", "echo 'a -> test_x.py'", "grep -r 'tee a_impl.py' .", "cat <<E\nrm a_impl.py\nE",
    "cat > notes.md <<E\necho > a_impl.py\nE", "echo x > x_impl.py.bak && cat x_impl.py", "cp x_impl.py /tmp/copy",
    "cp a_impl.py a_impl.py.bak", "cp a_impl.py b.txt", "cat a_impl.py > /dev/null", "dd if=a_impl.py of=x", "git show HEAD:a_impl.py",
    "awk '$1 > 3' a_impl.py", "perl -ne 'print' a_impl.py", "perl -MList::Util -e 1 a_impl.py", "sort a_impl.py", "curl http://x/a",
    "rm /tmp/x_impl.py", "cp a_impl.py /tmp/test_a.py", "cd /tmp && rm test_a.py", "rm /usr/share/test_a.py", "tar -cf b.tar a_impl.py",
    "a_impl.py=1", "echo $((2 > 1)) a_impl.py", "[ a_impl.py -nt b ]", "test -f a_impl.py && cat a_impl.py", "echo 'unclosed a_impl.py",
    "rm a_{b,c}.py", "echo {a,b}_impl.py", "rm '{a,b}_{impl,x}.py.txt'", "rm '{a,a_impl}.py'x", "rm \"a_{impl,x}.py\"", "rm ${f:-b.txt}",
    "f=b.txt; rm ${f:-a_impl.py}", "rm $'a\\ximpl.py'", "cat ${f:-a_impl.py}", "rm a_{impl.py,b}c", "rm {a_impl}.py",
    "cd /tmp && cat > x_impl.py", "cd /var/tmp/a; tee b_golden.py < c", "cd /tmp; mkdir a; cd a; rm x_impl.py", "(cd /tmp && touch x_impl.py)",
    "cp x_impl.py ~/backup/", "cp x_impl.py ~/backup", "cp x_impl.py y_golden.py /nowhere/backup/", "rsync -a x_impl.py ~/backup/",
    "python3 -c \"import sys; sys.stdout.write(open('a_impl.py').read())\"",
    "python3 -c \"open('log.txt', 'w').write(open('a_impl.py').read())\"", "python3 - <<E\nf = open(\"b.txt\", mode=\"w\")\n"
    "for line in open('a_impl.py'):\n    f.write(line)\nE", "python3 -c \"print(open('a_impl.py').read().replace('a', 'w'))\"",
]
WRITES_STATE = [
    f"echo x > {STATE}", f"rm {STATE}", f"sed -i s/5/6/ d/{STATE}", f"mv {STATE} x", f"unknown {STATE}",
    f"python3 -c 'open(\"{STATE}\", \"w\")'", f"cat x > {STATE}", f"cat x >>d/{STATE}", f"cat x >| {STATE}",
    f"cat x | tee {STATE}", f"cat x | sudo tee -a {STATE}", f"find . -name {STATE} -delete", f"jq .x x > {STATE}",
    f"find . -name {STATE} -exec rm {{}} +", f"cat {STATE}; mv x {STATE}", f"bash -c 'rm {STATE}'", f"cp x {STATE}",
    f"git checkout {STATE}", f"env A=b rm {STATE}", f"ls {STATE} | xargs rm", f"f={STATE}; rm $f", f"(rm {STATE})",
    f"jq .x {STATE} | sponge {STATE}", f"true\nrm {STATE}", f"dd of={STATE}", f"vi {STATE}",
    f"python3 - <<E\nimport json\njson.dump(x, open('{STATE}', 'w'))\nE", f"cat x > .orchestrator'_state'.json",
]
READS_STATE = [
    f"cat {STATE}", f"ls {STATE}", f"sudo cat {STATE}", f"test -f {STATE} && cat {STATE}", f"jq .x {STATE}",
    f"grep x {STATE} | head", f"cat {STATE} > copy.json", f"cat {STATE} 2>&1 | tee log", f"[ -f {STATE} ]",
    f"cat {STATE}>copy", f"rm other; cat {STATE}", f"find . -name {STATE}", "cat state.json > x", f"cp {STATE} copy.json",
    f"python3 -c 'open(\"{STATE}\")'", f"python3 -m json.tool < {STATE}", f"echo 'see {STATE}' > notes",
    f"git -C . diff {STATE}", f"sed -n 1p {STATE}",
    f"python3 -c \"open('log', 'w').write(open('{STATE}').read())\"",
]


class Guard(HookTest):
    def shell(self, command, tool="Bash", form=COMMON, **more):
        event = {"tool_name": tool, "tool_input": {"command": command}}
        if not hasattr(self, "op"):
            self.op = self.operator()
        event["cwd"] = more.pop("place", str(self.op))
        return self.hook("pre-edit" if form == COMMON else "pre-edit-backup", event, form, **more)

    def test_artifacts(self):
        for command in WRITES_ARTIFACT:
            answer = self.shell(command)
            self.assertEqual(answer.decision, "block", command)
            self.assertIn(SHELL_WRITE, answer.reason)
            self.assertEqual((answer.event, answer.status), ("PreToolUse", 0))
        for command in LEAVES_ARTIFACT:
            self.assertEqual(self.shell(command).out, "", command)

    def test_state(self):
        for command in WRITES_STATE:
            answer = self.shell(command)
            self.assertEqual(answer.decision, "block", command)
            self.assertIn(STATE_WRITE, answer.reason)
            self.assertIn("state_transition", answer.reason)
        for command in READS_STATE:
            self.assertEqual(self.shell(command).out, "", command)

    def test_tests_of_something_else(self):
        """A repository has tests that belong to no operator; a name of its own is an artifact anywhere."""
        self.op = self.operator()
        self.write("tests/test_a.py", "")
        for command in ("rm tests/test_a.py", "sed -i s/a/b/ tests/test_a.py", f"rm {self.folder}/tests/test_a.py",
                        "cd tests && rm test_a.py"):
            self.assertSilent(self.shell(command, place=str(self.folder)))
        for command in ("rm custom/rowscale/test_a.py", "cd custom/rowscale && rm test_a.py", "rm custom/new/test_new.py",
                        "rm tests/a_impl.py", "cd $X && rm test_a.py", "rm */*/test_a.py", "rm ~/test_a.py",
                        f"cd tests; cd {self.op}; rm test_a.py", "cd tests; rm ../custom/rowscale/test_a.py"):
            self.assertEqual(self.shell(command, place=str(self.folder)).decision, "block", command)

    def test_tools(self):
        for tool in ("Bash", "bash", "shell", "run_shell_command"):
            self.assertBlocks(self.shell("rm a_impl.py", tool))
        for tool in ("Write", "Grep", ""):
            self.assertSilent(self.shell("rm a_impl.py", tool))
        # The old plugin has guards of its own.
        self.assertSilent(self.shell("rm a_impl.py", form=OLD))

    def test_long_commands_take_no_time(self):
        start = time.monotonic()
        pieces = (".py", "test_", "> ", "python ", "python3 -c ", "open(", "sed -i ", "|", "a_impl.py ",
                  "-i", ".write", "Path(", "'w'", "test_test_", STATE, "&&",
                  "apply_patch;", "*** ", "-python ", "$(", "`", "((", "<<E\n", "a=$a$a;", "bash -c '", "eval ",
                  "for f in ", "cd ..;", "sudo ", "\\", "'", '"', "xargs ", "find -exec ", "{", "{a,", "{a,b}", "},", "${f:-", "$'\\x", "open('l','w');", "#", "> >(")
        for piece in pieces:
            for before in ("x_impl", f"cat {STATE}"):
                self.assertNotIn("Not checked", self.shell(before + piece * (500000 // len(piece))).out, piece)
        self.assertLess(time.monotonic() - start, 40)


class StateFile(HookTest):
    def test_is_not_to_be_edited(self):
        op = self.operator()
        for path in (op / STATE, STATE, f"a/../{STATE}", f"/nowhere/{STATE}", f"{op}/./{STATE}/"):
            for name, form in (("pre-edit", COMMON), ("pre-edit-backup", OLD)):
                answer = self.hook(name, edit_event(path), form)
                self.assertBlocks(answer)
                self.assertIn(STATE, answer.reason)
                self.assertIn("state_transition", answer.reason)
                self.assertEqual((answer.event, answer.status), ("PreToolUse", 0))

    def test_through_a_link(self):
        op = self.operator()
        (self.folder / "notes.json").symlink_to(op / STATE)
        self.assertBlocks(self.hook("pre-edit", edit_event(self.folder / "notes.json")))

    def test_in_a_patch(self):
        patch = f"*** Update File: a.py\n*** Update File: d/{STATE}\n"
        event = {"tool_name": "apply_patch", "tool_input": {"command": patch}}
        self.assertBlocks(self.hook("pre-edit", event))

    def test_a_patch_that_takes_it_away(self):
        many = "".join(f"*** Add File: {i}.txt\n+x\n" for i in range(200))
        for patch in (f"*** Delete File: d/{STATE}\n",
                      f"*** Update File: d/{STATE}\n*** Move to: d/old.json\n@@\n-a\n+b\n",
                      f"{many}*** Update File: d/{STATE}\n"):
            event = {"tool_name": "apply_patch", "tool_input": {"command": patch}}
            self.assertBlocks(self.hook("pre-edit", event))

    def test_form_by_client(self):
        event = edit_event(STATE)
        claude = self.hook("pre-edit", event, args=["--client=claude"]).json
        self.assertEqual(claude["hookSpecificOutput"]["permissionDecision"], "deny")
        self.assertEqual(claude["hookSpecificOutput"]["permissionDecisionReason"], claude["reason"])
        self.assertEqual(self.hook("pre-edit", event, env={"CLAUDECODE": "1"}).json, claude)
        self.assertEqual(self.hook("pre-edit", {**event, "permission_mode": "x"}).json, claude)
        for client in ("codex", "gemini", "opencode"):
            other = self.hook("pre-edit", event, args=["--client", client]).json
            self.assertEqual(other["hookSpecificOutput"], {"hookEventName": "PreToolUse"})
            self.assertEqual((other["decision"], other["reason"]), ("block", claude["reason"]))
        codex = {**event, "permission_mode": "x", "turn_id": "1"}
        self.assertNotIn("permissionDecision", self.hook("pre-edit", codex).out)


class Places(HookTest):
    """Where the workflow writes: below the working directory, and the module whose turn it is."""

    def pre(self, path, cwd=None, **options):
        return self.hook("pre-edit", edit_event(path, cwd=str(cwd or self.folder)), **options)

    def test_outside_of_the_working_directory(self):
        op = self.operator()
        work = self.folder / "home" / "work"  # a place beside it that is not in a hidden folder
        for path in ("/etc/pypto.conf", "/tmp/scratch.py", self.folder.parent / "note.md", work / "../../../x_impl.py",
                     "/tmp/a\nb.py"):
            answer = self.pre(path)
            self.assertBlocks(answer)
            self.assertIn("outside the working directory", answer.reason)
            self.assertIn("eval/_debug/", answer.reason)
            self.assertNotIn("\n", answer.reason)
            self.assertIn("位于工作目录", self.pre(path, args=["--lang=zh"]).reason)
        for path in (self.folder / "new/deep/x.py", op / "README.md", op / "eval/_debug/x.py", "x.py", "./a/../x.py"):
            self.assertSilent(self.pre(path))

    def test_tools_that_read(self):
        """They are not refused if the hook is called before every tool."""
        op = self.operator()
        for tool in ("Read", "Grep", "read_file", "list_directory", "read"):
            for path in ("/etc/pypto.conf", op / ".orchestrator_state.json"):
                self.assertSilent(self.hook("pre-edit", {"tool_name": tool, "cwd": str(self.folder),
                                                         "tool_input": {"file_path": str(path)}}))
        self.assertBlocks(self.hook("pre-edit", {"tool_name": "ReadAndWrite", "cwd": str(self.folder),
                                                 "tool_input": {"file_path": "/etc/pypto.conf"}}))

    def test_from_a_folder_below(self):
        op = self.operator()
        (op / "eval").mkdir()
        # Not in a repository: the folder that holds `custom` is the place.
        for path in (op / "rowscale_impl.py", self.folder / "README.md", op / "eval/x.py"):
            self.assertSilent(self.pre(path, cwd=op / "eval"))
        self.assertBlocks(self.pre("/tmp/x.py", cwd=op / "eval"))
        (self.folder / "sub").mkdir()
        self.assertSilent(self.pre("/tmp/x.py", cwd=self.folder / "sub"))  # the workflow is not seen from there
        (self.folder / ".git").mkdir()
        (self.folder / ".git/HEAD").write_text("ref: refs/heads/main\n")
        self.assertSilent(self.pre(self.folder / "README.md", cwd=self.folder / "sub"))
        self.assertBlocks(self.pre("/tmp/x.py", cwd=self.folder / "sub"))

    def test_project_directory_of_claude(self):
        op = self.operator()
        top = {"CLAUDE_PROJECT_DIR": str(self.folder.parent)}
        self.assertSilent(self.pre(self.folder.parent / "note.md", cwd=op, env=top))

    def test_other_sessions_write_where_they_like(self):
        self.operator(stage=None)
        for path in ("/tmp/x.py", "/etc/x"):
            self.assertSilent(self.pre(path))
            self.assertSilent(self.pre(path, cwd=self.folder / "custom/rowscale"))

    def test_files_of_the_client(self):
        self.operator()
        cwd = self.folder / "custom/rowscale"
        self.assertSilent(self.pre(self.home / ".claude/plans/plan.md", cwd=cwd))
        elsewhere = {"HOME": str(self.folder.parent)}
        self.assertSilent(self.pre(self.folder.parent / ".claude/plans/plan.md", env=elsewhere))
        self.assertBlocks(self.pre(self.folder.parent / "notes.md", env=elsewhere))

    def test_through_a_link(self):
        """A folder that the user linked in is part of the work."""
        self.operator()
        (self.folder / "linked").symlink_to("/tmp")
        self.assertSilent(self.pre(self.folder / "linked/x.py"))
        other = self.folder.with_name(self.folder.name + "_link")
        other.symlink_to(self.folder)
        self.addCleanup(other.unlink)
        self.assertSilent(self.pre(other / "x.py"))

    def test_the_old_form_guards_nothing(self):
        op = self.operator(stage5_phases={"active_phase": "M2", "phase_status": {}})
        for path in ("/tmp/x.py", op / "modules/rowscale_module1_impl.py"):
            self.assertSilent(self.hook("pre-edit-backup", edit_event(path), OLD))

    def test_modules_out_of_turn(self):
        for active, frozen, late in (("M1", (), ("12", "123")), ("M2", ("1",), ("123", "1234")),
                                     ("M10", ("1", "123456789"), ("1234567891011",))):
            op = self.operator(stage5_phases={"active_phase": active, "phase_status": {}})
            for suffixes, words in ((frozen, ("frozen", "已冻结")), (late, ("Finish that phase first", "请先完成"))):
                for suffix in suffixes:
                    for name in (f"rowscale_module{suffix}_impl.py", f"rowscale_module{suffix}_golden.py",
                                 f"test_rowscale_module{suffix}.py"):
                        answer = self.pre(op / "modules" / name)
                        self.assertBlocks(answer)
                        self.assertIn(words[0], answer.reason)
                        self.assertIn(name, answer.reason)
                        self.assertIn(active, answer.reason)
                        self.assertIn(words[1], self.pre(op / "modules" / name, args=["--lang=zh"]).reason)

    def test_modules_that_may_be_written(self):
        op = self.operator(stage5_phases={"active_phase": "M2", "phase_status": {}})
        for name in ("modules/rowscale_module12_impl.py", "modules/rowscale_module12_golden.py",
                     "modules/test_rowscale_module12.py", "rowscale_impl.py", "modules/rowscale_module2_impl.py",
                     "modules/rowscale_module_impl.py", "modules/other_module1_impl.py", "modules/notes.md",
                     "modules/deep/rowscale_module1_impl.py", "eval/rowscale_module1_impl.py",
                     "modules/rowscale_module1_helpers.py"):
            self.assertSilent(self.pre(op / name))
        for more in ({"stage": 6}, {"stage": 4}, {"stage": None}, {"stage5_phases": {"active_phase": None}},
                     {"stage5_phases": {"active_phase": "m2"}}, {"stage5_phases": {"active_phase": 2}},
                     {"stage5_phases": []}):
            shutil.rmtree(op)
            stage = {"stage": 5, "stage5_phases": {"active_phase": "M2"}, **more}
            self.operator(**stage)
            self.assertSilent(self.pre(op / "modules/rowscale_module1_impl.py"))

    def test_modules_in_a_patch(self):
        self.operator(stage5_phases={"active_phase": "M2", "phase_status": {}})
        patch = ("*** Update File: custom/rowscale/modules/rowscale_module12_impl.py\n"
                 "*** Update File: custom/rowscale/modules/rowscale_module1_impl.py\n")
        event = {"tool_name": "apply_patch", "tool_input": {"command": patch}, "cwd": str(self.folder)}
        answer = self.hook("pre-edit", event, cwd="/")
        self.assertBlocks(answer)
        self.assertIn("rowscale_module1_impl.py", answer.reason)

    def test_name_of_the_state_file_counts(self):
        op = self.operator(stage5_phases={"active_phase": "M2"}, operator_name="scale")
        self.assertBlocks(self.pre(op / "modules/scale_module1_impl.py"))
        self.assertSilent(self.pre(op / "modules/rowscale_module1_impl.py"))


@unittest.skipUnless(shutil.which("git"), "needs git")
class Backup(HookTest):
    def setUp(self):
        super().setUp()
        self.op = self.operator(stage=6)
        (self.home / ".gitconfig").write_text(
            "[user]\n name = A\n email = a@example.invalid\n[safe]\n directory = *\n", encoding="utf-8")

    def git(self, *args, cwd=None):
        return subprocess.run(["git", *args], cwd=cwd or self.op, env=self.environment(None),
                              capture_output=True, text=True, check=True).stdout

    def edit(self, path, name="pre-edit", form=COMMON, **more):
        answer = self.hook(name, edit_event(path), form, **more)
        self.assertSilent(answer)

    def init(self, folder=None):
        self.git("init", "-q", cwd=folder or self.folder)

    def subjects(self):
        return self.git("log", "--format=%s").splitlines()

    def test_commits_the_present_content_and_nothing_else(self):
        self.init()
        (self.op / "README.md").write_text("x", encoding="utf-8")
        self.git("add", "README.md")
        for name, form in (("pre-edit", COMMON), ("pre-edit-backup", OLD)):
            self.write("custom/rowscale/rowscale_impl.py", CLEAN_IMPL + f"# {form}\n")
            self.edit(self.op / "rowscale_impl.py", name, form)
            self.assertEqual(self.subjects()[0], "backup: rowscale_impl.py before stage6 attempt 1")
            self.assertEqual(self.git("show", "--format=", "--name-only", "HEAD").split(),
                             ["custom/rowscale/rowscale_impl.py"])
            self.assertEqual(self.git("show", "HEAD:./rowscale_impl.py"), CLEAN_IMPL + f"# {form}\n")
        # What was staged stays staged.
        self.assertEqual(self.git("diff", "--cached", "--name-only").split(),
                         ["custom/rowscale/README.md"])

    def test_module_files(self):
        self.init()
        path = self.write("custom/rowscale/modules/rowscale_module1_impl.py", CLEAN_IMPL)
        self.edit(path)
        self.assertEqual(self.git("show", "--format=", "--name-only", "HEAD").split(),
                         ["custom/rowscale/modules/rowscale_module1_impl.py"])

    def test_a_patch_that_takes_a_kernel_away(self):
        self.init()
        for number, more in enumerate(("*** Delete File: {0}", "*** Update File: {0}\n*** Move to: x.txt"), 1):
            self.write("custom/rowscale/rowscale_impl.py", CLEAN_IMPL + f"# {number}\n")
            patch = more.format(self.op / "rowscale_impl.py")
            event = {"tool_name": "apply_patch", "tool_input": {"command": patch}}
            self.assertSilent(self.hook("pre-edit", event))
            self.assertEqual(self.git("show", "HEAD:./rowscale_impl.py"), CLEAN_IMPL + f"# {number}\n")

    def test_attempt_number(self):
        self.init()
        for count, number in ((3, 4), (0, 1), ("x", 1), (None, 1), ([], 1), ("2", 3)):
            self.operator(stage=6, impl=CLEAN_IMPL + f"# {count!r}\n", stage_retry_count={"5": count})
            self.edit(self.op / "rowscale_impl.py")
            self.assertTrue(self.subjects()[0].endswith(f"attempt {number}"), count)

    def test_unchanged_content_makes_no_commit(self):
        self.init()
        self.edit(self.op / "rowscale_impl.py")
        self.edit(self.op / "rowscale_impl.py")
        self.assertEqual(len(self.subjects()), 1)

    def test_only_kernels_at_stage_6(self):
        before = self.snapshot()
        for name in ("rowscale_golden.py", "test_rowscale.py", "README.md", "_impl.py.txt"):
            self.edit(self.op / name)
        for stage in (5, 7, None):
            shutil.rmtree(self.op)
            self.operator(stage=stage)
            before = self.snapshot()
            self.edit(self.op / "rowscale_impl.py")
            self.assertEqual(self.snapshot(), before)

    def test_a_file_that_is_not_there_yet(self):
        before = self.snapshot()
        self.edit(self.op / "new_impl.py")
        self.assertEqual(self.snapshot(), before)

    def test_makes_a_repository_in_custom(self):
        self.edit(self.op / "rowscale_impl.py")
        self.assertTrue((self.folder / "custom/.git").is_dir())
        self.assertEqual(self.subjects(), ["init: operator workspace"])
        self.write("custom/rowscale/rowscale_impl.py", CLEAN_IMPL + "# 2\n")
        self.edit(self.op / "rowscale_impl.py")
        self.assertEqual(self.subjects()[0], "backup: rowscale_impl.py before stage6 attempt 1")

    def test_makes_no_repository_inside_one(self):
        self.init()
        self.edit(self.op / "rowscale_impl.py")
        self.assertFalse((self.folder / "custom/.git").exists())
        self.assertFalse((self.op / ".git").exists())

    def test_a_git_file_is_a_repository_too(self):
        self.write("custom/.git", "gitdir: /nowhere\n")
        before = self.snapshot()
        self.edit(self.op / "rowscale_impl.py")
        self.assertEqual(self.snapshot(), before)

    def test_hooks_and_signing_do_not_run(self):
        self.init()
        for hook in ("pre-commit", "commit-msg", "prepare-commit-msg", "post-commit", "post-index-change"):
            path = self.write(f".git/hooks/{hook}", f"#!/bin/sh\ntouch '{self.folder}/ran'\nexit 1\n")
            path.chmod(0o755)
        self.git("config", "commit.gpgSign", "true")
        self.git("config", "gpg.program", "/bin/false")
        self.git("config", "core.fsmonitor", str(self.folder / ".git/hooks/pre-commit"))
        self.edit(self.op / "rowscale_impl.py")
        self.assertEqual(len(self.subjects()), 1)
        self.assertFalse((self.folder / "ran").exists())

    def test_variables_do_not_lead_elsewhere(self):
        self.init()
        other = self.folder / "other"
        other.mkdir()
        self.init(other)
        env = {"GIT_DIR": str(other / ".git"), "GIT_WORK_TREE": str(other),
               "GIT_INDEX_FILE": str(other / "index")}
        self.edit(self.op / "rowscale_impl.py", env=env)
        self.assertEqual(len(self.subjects()), 1)
        self.assertFalse((other / "index").exists())

    def test_odd_names(self):
        self.init()
        for name in ("-m_impl.py", ":(top)_impl.py", "a b;touch x_impl.py", "*_impl.py", "$(id)_impl.py"):
            path = self.write(f"custom/rowscale/{name}", CLEAN_IMPL)
            self.edit(path)
            listed = self.git("show", "--format=", "--name-only", "-z", "HEAD")
            self.assertEqual(listed.strip("\0\n"), f"custom/rowscale/{name}")

    def test_failures_are_passed_over(self):
        self.init()
        (self.folder / ".git/index.lock").touch()
        self.edit(self.op / "rowscale_impl.py")
        (self.folder / ".git/index.lock").unlink()
        self.edit(self.op / "rowscale_impl.py", env={"PATH": "/nowhere"})
        (self.home / ".gitconfig").write_text("[user]\n useConfigOnly = true\n", encoding="utf-8")
        self.edit(self.op / "rowscale_impl.py")
        self.edit(self.op / "rowscale_impl.py", env={"HOME": ""})

    def test_a_git_that_hangs_is_ended(self):
        self.init()
        stub = self.write("bin/git", f"#!/bin/sh\necho $$ > '{self.folder}/pid'\nsleep 60\n")
        stub.chmod(0o755)
        start = time.monotonic()
        self.edit(self.op / "rowscale_impl.py",
                  env={"PATH": f"{self.folder}/bin:{os.environ['PATH']}"})
        self.assertLess(time.monotonic() - start, 13)
        pid = int((self.folder / "pid").read_text())
        with self.assertRaises(ProcessLookupError):
            os.kill(pid, 0)


if __name__ == "__main__":
    main()
