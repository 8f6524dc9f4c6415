"""`saurodrome check`: puts a bot of any language through the protocol and reports on it."""
