export default {
  esbuild: { jsx: "automatic" },
  // Vite 5 to 7 move what they optimise away from its module.
  optimizeDeps: { exclude: ["fablegrade-preview"] },
};
