// Empty on purpose: the tests speak HAP over IP only.
module.exports = {};
