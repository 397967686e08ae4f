// The forms of guests and codes, which share most of what they are made of: one script for all, also for forms of features.
export { NameAndPin } from './code-fields.tsx';
export { CodeForm } from './code-form.tsx';
export { GuestForm, type Saved, SavedGuest, useNameHelp } from './guest-form.tsx';
export { NewCode } from './new-code.tsx';
export { randomPin } from './pin-field.tsx';
export { NO_FAULTS } from './typed-code.ts';
