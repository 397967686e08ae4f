// The used parts of undici: the build joins the package into one file for the plugin and the tools.
export { buildConnector, Client, Pool } from 'undici';
