import type { Component } from 'svelte';
import type { Screen } from '../lib/state/navigation.svelte';
import CollectionsScreen from './collections/CollectionsScreen.svelte';
import GuideScreen from './guide/GuideScreen.svelte';
import LedgerScreen from './ledger/LedgerScreen.svelte';
import MeasureScreen from './measure/MeasureScreen.svelte';
import ModelsScreen from './models/ModelsScreen.svelte';
import SettingsScreen from './settings/SettingsScreen.svelte';

/** The components of all screens but searching, which stays alive behind the others. Each is a `Screen.svelte`. */
export const screenOf: Record<Exclude<Screen, 'search'>, Component> = {
  collections: CollectionsScreen,
  models: ModelsScreen,
  measure: MeasureScreen,
  ledger: LedgerScreen,
  settings: SettingsScreen,
  guide: GuideScreen,
};
