// The forms of guests and codes, which share most of what they are made of: one script for all.
export { CleanerForm } from '../stays/cleaner-form.tsx';
export { CodeForm } from './code-form.tsx';
export { GuestForm } from './guest-form.tsx';
export { NewCode } from './new-code.tsx';
