"""A model that follows a script: the small part of four vendors' APIs that their clients need.

It listens on 127.0.0.1 and answers by how far the conversation in the request has come: after n
answers of the model in it, step n of the script follows. So a request that is sent twice gets the
same answer twice. Requests without tools (titles, summaries) get a word. All requests are kept.
"""
import http.server
import json
import threading

# What a step of a script is: {"text": T}, or {"tool": NAME, "input": {…}}, or for Codex's patches
# {"tool": NAME, "raw": TEXT}.


def sse(events):
    """Server-sent events from (name or None, object) pairs."""
    lines = []
    for name, data in events:
        lines.append(f"event: {name}\n" if name else "")
        lines.append(f"data: {data if isinstance(data, str) else json.dumps(data)}\n\n")
    return "".join(lines).encode("utf-8")


class Anthropic:
    """Messages, streamed. Claude Code."""

    @staticmethod
    def conversation(body):
        return body["messages"]

    @staticmethod
    def wants(path):
        return path.startswith("/v1/messages") and "count_tokens" not in path

    @classmethod
    def turns(cls, body):
        return sum(m["role"] == "assistant" for m in cls.conversation(body))

    @staticmethod
    def answer(step, body, number):
        block, delta, reason = {"type": "text", "text": ""}, None, "end_turn"
        if "tool" in step:
            block = {"type": "tool_use", "id": f"toolu_{number:04}", "name": step["tool"], "input": {}}
            delta = {"type": "input_json_delta", "partial_json": json.dumps(step["input"])}
            reason = "tool_use"
        else:
            delta = {"type": "text_delta", "text": step["text"]}
        message = {"id": f"msg_{number:04}", "type": "message", "role": "assistant", "content": [],
                   "model": body.get("model", "m"), "stop_reason": None, "stop_sequence": None,
                   "usage": {"input_tokens": 1, "output_tokens": 1}}
        if not body.get("stream"):
            whole = {**block, "input": step["input"]} if "tool" in step else {**block, "text": step["text"]}
            return "application/json", json.dumps({**message, "content": [whole], "stop_reason": reason}).encode()
        return "text/event-stream", sse((e["type"], e) for e in (
            {"type": "message_start", "message": message},
            {"type": "content_block_start", "index": 0, "content_block": block},
            {"type": "content_block_delta", "index": 0, "delta": delta},
            {"type": "content_block_stop", "index": 0},
            {"type": "message_delta", "delta": {"stop_reason": reason, "stop_sequence": None},
             "usage": {"output_tokens": 1}},
            {"type": "message_stop"}))


class Responses:
    """OpenAI's Responses, streamed. Codex."""

    CALLS = ("function_call", "custom_tool_call", "local_shell_call")

    @staticmethod
    def conversation(body):
        return body["input"]

    @staticmethod
    def wants(path):
        return path.endswith("/responses")

    @classmethod
    def turns(cls, body):
        return sum(i.get("type") in cls.CALLS or i.get("role") == "assistant" for i in cls.conversation(body))

    @staticmethod
    def answer(step, body, number):
        if "raw" in step:
            item = {"type": "custom_tool_call", "call_id": f"call_{number:04}", "name": step["tool"],
                    "input": step["raw"]}
        elif "tool" in step:
            item = {"type": "function_call", "call_id": f"call_{number:04}", "name": step["tool"],
                    "arguments": json.dumps(step["input"])}
        else:
            item = {"type": "message", "role": "assistant",
                    "content": [{"type": "output_text", "text": step["text"], "annotations": []}]}
        item = {"id": f"item_{number:04}", "status": "completed", **item}
        response = {"id": f"resp_{number:04}", "object": "response", "status": "completed", "output": [item],
                    "usage": {"input_tokens": 1, "output_tokens": 1, "total_tokens": 2,
                              "input_tokens_details": {"cached_tokens": 0},
                              "output_tokens_details": {"reasoning_tokens": 0}}}
        return "text/event-stream", sse((e["type"], e) for e in (
            {"type": "response.created", "response": {**response, "status": "in_progress", "output": []}},
            {"type": "response.output_item.added", "output_index": 0, "item": item},
            {"type": "response.output_item.done", "output_index": 0, "item": item},
            {"type": "response.completed", "response": response}))


class Gemini:
    """generateContent, streamed or not. Gemini CLI."""

    @staticmethod
    def conversation(body):
        return body["contents"]

    @staticmethod
    def wants(path):
        return "generateContent" in path or "GenerateContent" in path

    @classmethod
    def turns(cls, body):
        return sum(c.get("role") == "model" for c in cls.conversation(body))

    @staticmethod
    def answer(step, body, number):
        part = {"text": step.get("text", "")}
        if "tool" in step:
            part = {"functionCall": {"name": step["tool"], "args": step["input"]}}
        chunk = {"candidates": [{"content": {"role": "model", "parts": [part]}, "finishReason": "STOP",
                                 "index": 0}],
                 "usageMetadata": {"promptTokenCount": 1, "candidatesTokenCount": 1, "totalTokenCount": 2}}
        return "text/event-stream", sse([(None, chunk)])


class ChatCompletions:
    """OpenAI's chat completions, streamed. OpenCode."""

    @staticmethod
    def conversation(body):
        return body["messages"]

    @staticmethod
    def wants(path):
        return path.endswith("/chat/completions")

    @classmethod
    def turns(cls, body):
        return sum(m["role"] == "assistant" for m in cls.conversation(body))

    @staticmethod
    def answer(step, body, number):
        head = {"id": f"chat_{number:04}", "object": "chat.completion.chunk", "created": 0, "model": "m"}
        delta, reason = {"role": "assistant", "content": step.get("text", "")}, "stop"
        if "tool" in step:
            call = {"name": step["tool"], "arguments": json.dumps(step["input"])}
            delta = {"role": "assistant", "tool_calls": [
                {"index": 0, "id": f"call_{number:04}", "type": "function", "function": call}]}
            reason = "tool_calls"
        return "text/event-stream", sse((None, e) for e in (
            {**head, "choices": [{"index": 0, "delta": delta, "finish_reason": None}]},
            {**head, "choices": [{"index": 0, "delta": {}, "finish_reason": reason}],
             "usage": {"prompt_tokens": 1, "completion_tokens": 1, "total_tokens": 2}},
            "[DONE]"))


class ModelServer:
    """Serves `script` in `dialect` until closed. `requests` holds the bodies of the main
    conversation in order, `others` the paths of all other requests."""

    def __init__(self, dialect, script):
        self.dialect, self.script = dialect, script
        self.requests, self.others, self.lock = [], [], threading.Lock()
        outer = self

        class Handler(http.server.BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def do_POST(self):
                self.reply(*outer.answer(self.path, self.body()))

            def do_GET(self):
                self.reply(*outer.answer(self.path, b""))

            do_HEAD = do_PUT = do_GET

            def body(self):
                if self.headers.get("transfer-encoding", "").lower() != "chunked":
                    return self.rfile.read(int(self.headers.get("content-length", 0)))
                parts = []
                while size := int(self.rfile.readline().split(b";")[0], 16):
                    parts.append(self.rfile.read(size))
                    self.rfile.readline()
                self.rfile.readline()
                return b"".join(parts)

            def reply(self, status, kind, data):
                self.send_response(status)
                self.send_header("content-type", kind)
                self.send_header("content-length", str(len(data)))
                self.end_headers()
                if self.command != "HEAD":
                    self.wfile.write(data)

            def log_message(self, format, *args):
                pass

        self.server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.server.daemon_threads = True
        self.url = f"http://127.0.0.1:{self.server.server_port}"
        threading.Thread(target=self.server.serve_forever, daemon=True).start()

    def answer(self, path, text):
        plain = path.split("?")[0]
        if not self.dialect.wants(plain):
            with self.lock:
                self.others.append(plain)
            return (200, "application/json", b'{"input_tokens":1}') if "count_tokens" in plain else (
                404, "application/json", b'{"error":{"type":"not_found_error","message":"not here"}}')
        body = json.loads(text)
        with self.lock:
            if not body.get("tools"):
                self.others.append(plain)
                return 200, *self.dialect.answer({"text": "ok"}, body, len(self.others))
            self.requests.append(body)
            number, turn = len(self.requests), self.dialect.turns(body)
        step = self.script[turn] if turn < len(self.script) else {"text": "Done."}
        return 200, *self.dialect.answer(step, body, number)

    def close(self):
        self.server.shutdown()
        self.server.server_close()
