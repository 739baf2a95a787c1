"""The server: tables that people and bots sit at, kept in a journal, spoken with over one socket."""
