import { mount } from 'svelte';
import App from './App.svelte';
import './app.css';
import { I18n } from './lib/i18n/index.svelte';
import { Settings } from './lib/state/settings.svelte';

const settings = new Settings(localStorage, navigator.language);
void I18n.speaking(settings.language, settings.digits).then((i18n) =>
  mount(App, { target: document.getElementById('app')!, props: { settings, i18n } }),
);
