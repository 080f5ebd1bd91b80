"""
Runs the tools of a domain of tau2-bench (https://github.com/sierra-research/tau2-bench, MIT) as they are in a checkout, one database for
each conversation. Nothing of the checkout is copied here.

  environment_server.py CHECKOUT DOMAIN describe     prints the policy and the tools as JSON
  environment_server.py CHECKOUT DOMAIN serve RUN    serves the tools by the Model Context Protocol over stdio
  environment_server.py CHECKOUT DOMAIN grade RUN    prints how each conversation ended, beside how its task should end

RUN is a folder. `conversations.jsonl` says which task a conversation is about ({"session", "task"}), and `caller.jsonl` what its caller did
with tools of theirs ({"session", "name", "arguments"}); both are written by whoever plays. `calls.jsonl` has every call, in order.
"""

import importlib.abc
import importlib.machinery
import importlib.util
import json
import re
import sys
import tomllib
import types
from pathlib import Path

sys.dont_write_bytecode = True  # the checkout is somebody else's


class Missing(types.ModuleType):
    """Stands for a package that the checkout imports for its own runner, and that the tools of a domain do not use."""

    def __getattr__(self, name):
        if name.startswith("__"):
            raise AttributeError(name)
        return Anything()


class Anything:
    def __call__(self, *_args, **_named):
        return self

    def __getattr__(self, name):
        if name.startswith("__"):
            raise AttributeError(name)
        return self


def missing_docstring_parser():
    """Of docstring_parser what the checkout's tools need: their docstrings are all in Google's style."""

    def parse(text):
        head, *rest = re.split(r"\n\s*(Args|Returns|Raises):\s*\n", "\n" + text)
        sections = dict(zip(rest[::2], rest[1::2]))
        params = re.findall(r"^\s*(\w+)(?:\s*\([^)]*\))?:\s*(.+(?:\n(?!\s*\w+(?:\s*\([^)]*\))?:).*)*)", sections.get("Args", ""), re.M)
        found = types.SimpleNamespace(short_description=None, long_description=None, returns=None, raises=[], examples=[])
        short, _, more = " ".join(line.strip() or "\n" for line in head.strip().splitlines()).partition("\n")
        found.short_description, found.long_description = short.strip(), more.strip()
        found.params = [
            types.SimpleNamespace(arg_name=name, type_name=None, description=" ".join(words.split())) for name, words in params
        ]
        return found

    module = types.ModuleType("docstring_parser")
    module.parse = parse
    return module


def missing_toml():
    module = types.ModuleType("toml")
    module.load = lambda file: tomllib.loads(file.read())
    return module


def missing_addict():
    """Of addict.Dict what the checkout needs: an update of a dictionary, dictionaries within it included."""

    class Dict(dict):
        def update(self, other):
            for key, value in other.items():
                mine = self.get(key)
                self[key] = merged(mine, value) if isinstance(mine, dict) and isinstance(value, dict) else value

        def to_dict(self):
            return dict(self)

    def merged(mine, value):
        both = Dict(mine)
        both.update(value)
        return dict(both)

    module = types.ModuleType("addict")
    module.Dict = Dict
    return module


class MissingPackages(importlib.abc.MetaPathFinder, importlib.abc.Loader):
    """Comes last, so a package that is installed is used. The domains themselves need pydantic, and that is not replaced."""

    replaced = {"addict": missing_addict, "docstring_parser": missing_docstring_parser, "toml": missing_toml}
    needed = {"tau2", "pydantic", "pydantic_core"}

    def find_spec(self, name, path=None, target=None):
        top = name.split(".")[0]
        if top in self.needed or top in sys.stdlib_module_names:
            return None
        return importlib.machinery.ModuleSpec(name, self, is_package=True)

    def create_module(self, spec):
        return self.replaced.get(spec.name, lambda: Missing(spec.name))()

    def exec_module(self, module):
        pass


def load_domain(checkout, domain):
    sys.meta_path.append(MissingPackages())
    # The package's own __init__ imports its runner, with everything that it talks to models with.
    package = types.ModuleType("tau2")
    package.__path__ = [str(Path(checkout) / "src" / "tau2")]
    sys.modules["tau2"] = package
    return importlib.import_module(f"tau2.domains.{domain}.environment")


def read_tasks(checkout, domain):
    folder = Path(checkout) / "data" / "tau2" / "domains" / domain
    file = next(file for file in (folder / "tasks.json", folder / "tasks_small.json") if file.exists())
    return {str(task["id"]): task for task in json.loads(file.read_text())}


def begin(module, task):
    """An environment as the task wants it at its beginning."""
    environment = module.get_environment()
    state = (task or {}).get("initial_state") or {}
    data = state.get("initialization_data") or {}
    if data.get("agent_data") is not None:
        environment.tools.update_db(data["agent_data"])
    if data.get("user_data") is not None:
        environment.user_tools.update_db(data["user_data"])
    for call in state.get("initialization_actions") or []:
        run_function(environment, call)
    for message in state.get("message_history") or []:
        for call in message.get("tool_calls") or []:
            use(environment, call.get("requestor", "assistant"), call["name"], call["arguments"])
    environment.sync_tools()
    return environment


def run_function(environment, call):
    toolkit = environment.user_tools if call["env_type"] == "user" else environment.tools
    result = getattr(toolkit, call["func_name"])(**call["arguments"])
    environment.sync_tools()
    return result


def holds(environment, check):
    try:
        return run_function(environment, check) == check.get("assert_value", True)
    except Exception:  # what it is about is not there
        return False


def use(environment, requestor, name, arguments):
    """The result as text, and whether it is an error, as the benchmark's own runner gives them to a model."""
    message = importlib.import_module("tau2.data_model.message")
    call = message.ToolCall(id="call", name=name, arguments=arguments, requestor=requestor)
    response = environment.get_response(call)
    return response.content, response.error


def end_state(environment):
    return [environment.get_db_hash(), environment.get_user_db_hash()]


def describe(checkout, domain):
    environment = load_domain(checkout, domain).get_environment()
    tools = []
    for name, tool in environment.tools.get_tools().items():
        function = tool.openai_schema["function"]
        is_read = not environment.tools.tool_mutates_state(name)
        tools.append({**function, "isRead": is_read})
    return {"policy": environment.get_policy(), "tools": tools}


def read_lines(file):
    return [json.loads(line) for line in file.read_text().splitlines()] if file.exists() else []


class Conversations:
    """Those of one run, each with its own database."""

    def __init__(self, checkout, domain, run):
        self.module = load_domain(checkout, domain)
        self.tasks = read_tasks(checkout, domain)
        self.run = Path(run)
        self.environments = {}
        self.done_by_callers = 0

    def environment(self, session):
        if session not in self.environments:
            about = {line["session"]: line["task"] for line in read_lines(self.run / "conversations.jsonl")}
            self.environments[session] = begin(self.module, self.tasks.get(about.get(session)))
        return self.environments[session]

    def call(self, session, name, arguments):
        self.follow_callers()
        return self.use(session, "assistant", name, arguments)

    def follow_callers(self):
        lines = read_lines(self.run / "caller.jsonl")
        for line in lines[self.done_by_callers :]:
            self.use(line["session"], "user", line["name"], line["arguments"])
        self.done_by_callers = len(lines)

    def use(self, session, requestor, name, arguments):
        text, is_error = use(self.environment(session), requestor, name, arguments)
        call = {"session": session, "requestor": requestor, "name": name, "arguments": arguments, "isError": is_error}
        with open(self.run / "calls.jsonl", "a") as file:
            file.write(json.dumps({**call, "result": text}) + "\n")
        return text, is_error


def with_fractions(schema, arguments):
    """2.0 is 2 in JSON that JavaScript has written, and another number in the database."""
    kinds = {name: kind.get("type") for name, kind in ((schema or {}).get("properties") or {}).items()}
    return {
        name: float(value) if kinds.get(name) == "number" and type(value) is int else value for name, value in arguments.items()
    }


def serve(checkout, domain, run):
    conversations = Conversations(checkout, domain, run)
    described = conversations.module.get_environment().tools
    tools = []
    for name, tool in described.get_tools().items():
        function = tool.openai_schema["function"]
        hints = {"readOnlyHint": not described.tool_mutates_state(name)}
        tools.append(
            {"name": name, "description": function["description"], "inputSchema": function["parameters"], "annotations": hints}
        )

    schemas = {tool["name"]: tool["inputSchema"] for tool in tools}

    def answer(method, params):
        if method == "initialize":
            version = params.get("protocolVersion", "2025-06-18")
            return {"protocolVersion": version, "capabilities": {"tools": {}}, "serverInfo": {"name": domain, "version": "1"}}
        if method == "tools/list":
            return {"tools": tools}
        if method == "tools/call":
            session = (params.get("_meta") or {}).get("voice-agent-service/session_id", "")
            name, arguments = params["name"], params.get("arguments") or {}
            text, is_error = conversations.call(session, name, with_fractions(schemas.get(name), arguments))
            return {"content": [{"type": "text", "text": text}], "isError": is_error}
        return {}

    for line in sys.stdin:
        request = json.loads(line)
        if "id" not in request:
            continue
        result = answer(request.get("method"), request.get("params") or {})
        sys.stdout.write(json.dumps({"jsonrpc": "2.0", "id": request["id"], "result": result}) + "\n")
        sys.stdout.flush()


def grade(checkout, domain, run):
    """
    What was called is called again, on a database of its own: the same results as before, and an end state that is compared with that of
    the calls which the task expects.
    """
    module = load_domain(checkout, domain)
    tasks = read_tasks(checkout, domain)
    calls = read_lines(Path(run) / "calls.jsonl")
    # Of what callers did after an agent's last call, nobody has asked yet.
    followed = sum(call["requestor"] == "user" for call in calls)
    remaining = read_lines(Path(run) / "caller.jsonl")[followed:]
    graded = []
    for conversation in read_lines(Path(run) / "conversations.jsonl"):
        session, task = conversation["session"], tasks[conversation["task"]]
        criteria = task.get("evaluation_criteria") or {}
        held, expected = begin(module, task), begin(module, task)
        mine = [call for call in calls if call["session"] == session]
        differing = [
            call["name"] for call in mine if use(held, call["requestor"], call["name"], call["arguments"]) != (call["result"], call["isError"])
        ]
        for line in remaining:
            if line["session"] == session:
                use(held, "user", line["name"], line["arguments"])
        for action in criteria.get("actions") or []:
            use(expected, action.get("requestor", "assistant"), action["name"], action["arguments"])
        ends_alike = end_state(held) == end_state(expected)
        checks = criteria.get("env_assertions") or []
        failed = [check for check in checks if not holds(held, check)]
        unattainable = [check for check in checks if not holds(expected, check)]
        graded.append(
            {
                "session": session,
                "task": conversation["task"],
                "isEndStateRight": ends_alike,
                "failedAssertions": [check.get("message") or check["func_name"] for check in failed],
                "isAsExpected": ends_alike and failed == unattainable,
                "differingResults": differing,
                "calls": len(mine),
                "errors": sum(call["isError"] for call in mine),
            }
        )
    return graded


if __name__ == "__main__":
    checkout, domain, what, *rest = sys.argv[1:]
    if what == "describe":
        json.dump(describe(checkout, domain), sys.stdout)
    elif what == "grade":
        json.dump(grade(checkout, domain, *rest), sys.stdout)
    else:
        serve(checkout, domain, *rest)
