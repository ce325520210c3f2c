"""Hash functions of many users, the reports that support an item, and the count-mean sketch."""
