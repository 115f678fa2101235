import init, { Preview } from "fablegrade-preview";
import { useEffect, useState } from "react";

/** Returns the preview of a view: undefined while the module loads, then a `Preview` or `{ ok: false, errors }`. */
export function usePreview(view, locale) {
  const [preview, setPreview] = useState();
  useEffect(() => {
    let current = true;
    const show = (found) => current && setPreview(found);
    init().then(
      () => show(Preview.open(view, { locale })),
      (error) => show({ ok: false, errors: [{ message: error.message }] }),
    );
    return () => {
      current = false;
    };
  }, [view, locale]);
  return preview;
}
