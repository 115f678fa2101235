// A question whose answer is a formula. It shows how the formula is read, and errors and remarks before it is sent.
import { StrictMode, useState } from "react";
import { createRoot } from "react-dom/client";
import { usePreview } from "./use-preview.js";

// The view that the server's `deliver` returned for this learner.
const view = { type: "expression", equivalence: "symbolic", variables: [{ name: "x" }], allowedFunctions: ["sin"] };

function Question({ view, onSend }) {
  const [latex, setLatex] = useState("");
  const [locale, setLocale] = useState("en");
  const preview = usePreview(view, locale);
  if (preview === undefined) return <p>…</p>;
  if (!preview.ok) return <p role="alert">{preview.errors.map(({ message }) => message).join(" ")}</p>;

  const submission = { type: "expression", latex };
  const checked = preview.check(submission);
  const read = preview.understand(latex);
  const complete = checked.ok ? preview.completeness(submission) : { ok: true, remarks: [] };
  return (
    <form onSubmit={(event) => (event.preventDefault(), checked.ok && onSend(checked.json))}>
      <label>
        Answer <input value={latex} onChange={(event) => setLatex(event.target.value)} autoComplete="off" />
      </label>
      <select aria-label="Language" value={locale} onChange={(event) => setLocale(event.target.value)}>
        <option value="en">English</option>
        <option value="de">Deutsch</option>
      </select>
      {read.ok && <output>{read.latex}</output>}
      {!checked.ok && <p role="status">{checked.errors.map(({ message }) => message).join(" ")}</p>}
      <ul>{complete.ok && complete.remarks.map(({ code, pointer, message }) => <li key={code + pointer + message}>{message}</li>)}</ul>
      <button disabled={!checked.ok}>Send</button>
    </form>
  );
}

function Page() {
  const [sent, setSent] = useState();
  return (
    <>
      <Question view={view} onSend={setSent} />
      {sent && <pre>{sent}</pre>}
    </>
  );
}

createRoot(document.querySelector("#root")).render(
  <StrictMode>
    <Page />
  </StrictMode>,
);
