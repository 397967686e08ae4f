// The forms of guests and codes, which share most of what they are made of: one script for all, also for forms of features.
export { NameAndPin, randomPin } from './code-fields.tsx';
export { CodeForm, GuestForm, useNameHelp } from './code-forms.tsx';
export { NewCode, RemoveAll } from './lock-sheets.tsx';
export { SavedCode, useSavedCode } from './saved-code.tsx';
