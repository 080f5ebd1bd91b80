import "./zod-without-eval.ts";

import { StrictMode } from "react";
import { createRoot } from "react-dom/client";

import { App } from "./app.tsx";
import { createConsole } from "./create-console.ts";
import { keepFocus } from "./keep-focus.ts";
import "./styles/index.css";

const root = document.querySelector("#root");
if (root === null) throw new Error("the page has no #root");

keepFocus(document);
createRoot(root).render(
  <StrictMode>
    <App console={createConsole()} />
  </StrictMode>,
);
