"""The shuffle model: users' randomizers, a shuffler between them and the collector, and the collector's analyzer."""
