// What pages of features read of an account, one line each, apart from the pages: the state of an account needs it first.
import { MQTT_READING } from './home-assistant/reading.ts';
import type { FeatureReading } from './state/views.ts';
import { STAYS_READING } from './stays/reading.ts';

export const FEATURE_READINGS: readonly FeatureReading[] = [STAYS_READING, MQTT_READING];
