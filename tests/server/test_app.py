"""What the app answers to requests about tables."""


def test_a_table_that_is_archived_waits_for_nobody(person, server):
    ann = person()
    table = ann.make("dice_heist", "me", "me")
    with ann.at(table, 0) as a, ann.at(table, 1) as b:
        a.start(b)

    def listed():
        return next(row for row in ann.get("/api/mine").json() if row["table"] == table)

    assert listed()["your_turn"]
    server.ask(server.app.service.archive(table))
    row = listed()
    assert (row["state"], row["your_turn"], row["seats"], row["names"]) == ("archived", False, [], [])
    assert row["title"] == "Dice Heist"
