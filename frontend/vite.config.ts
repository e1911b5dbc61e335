import { svelte } from '@sveltejs/vite-plugin-svelte';
import { defineConfig } from 'vitest/config';

export default defineConfig({
  plugins: [svelte()],
  // The window's own webview is the only browser: Safari 15.4 is the oldest WebKitGTK that Wails accepts in practice.
  build: { target: 'safari15.4', modulePreload: { polyfill: false } },
  // A test measures the colours of app.css; no other style is looked at.
  test: { include: ['src/**/*.test.ts'], css: { include: /app\.css/ } },
});
