// The page of the account and of its logins: one script for both.
export { LogOut } from '../frame/log-out.tsx';
export { LinkPage } from './link-page.tsx';
