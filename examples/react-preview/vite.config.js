export default {
  esbuild: { jsx: "automatic" },
  // Vite 5 to 7 move an optimised package away from its WebAssembly file.
  optimizeDeps: { exclude: ["fablegrade-preview"] },
};
