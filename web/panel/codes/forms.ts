// The forms of codes, which share most of what they are made of: one script for all, also for forms of features.
export { NameAndPin, randomPin } from './code-fields.tsx';
export { CodeForm } from './code-forms.tsx';
export { RemoveAll } from './remove-all.tsx';
export { SavedCode, useSavedCode } from './saved-code.tsx';
