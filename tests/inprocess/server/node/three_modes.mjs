// CRUD and the three search modes with the Node.js driver; prints one JSON document.
import { MongoClient } from "mongodb";

const client = new MongoClient(process.argv[2]);
const database = client.db("node");
const things = database.collection("things");
const ids = async (cursor) => (await cursor.toArray()).map((document) => document._id);

try {
  await database.dropDatabase();
  await things.insertMany([
    { _id: 1, title: "cakes", v: [1, 0.5, 0] },
    { _id: 2, title: "cookies and cakes", v: [0.9, 0.1, 0.5] },
    { _id: 3, title: "vegetables", v: [0, 1, 0.5] },
    { _id: 4, title: "oranges", v: [0.5, 0, 1] },
  ]);
  const updated = await things.updateOne({ _id: 4 }, { $set: { "tags.0": "fruit" }, $inc: { n: 1 } });
  const changed = await things.findOneAndUpdate({ _id: 4 }, { $inc: { n: 1 } }, { returnDocument: "after" });
  let duplicate = 0;
  try {
    await things.insertOne({ _id: 1 });
  } catch (error) {
    duplicate = error.code;
  }
  await things.createSearchIndexes([
    { name: "text", definition: { mappings: { dynamic: false, fields: { title: { type: "string" } } } } },
    {
      name: "vector",
      type: "vectorSearch",
      definition: { fields: [{ type: "vector", path: "v", numDimensions: 3, similarity: "cosine" }] },
    },
  ]);
  const listed = await things.listSearchIndexes().toArray();
  const search = { $search: { index: "text", text: { path: "title", query: "cakes" } } };
  const nearest = {
    $vectorSearch: { index: "vector", path: "v", queryVector: [1, 0.5, 0], numCandidates: 10, limit: 3 },
  };
  const fused = { $rankFusion: { input: { pipelines: { text: [search], vector: [nearest] } } } };
  await things.insertMany(Array.from({ length: 300 }, (_, n) => ({ _id: 1000 + n })));
  console.log(
    JSON.stringify({
      modified: updated.modifiedCount,
      n: changed.n,
      duplicate,
      queryable: listed.map((index) => index.queryable),
      text: await ids(things.aggregate([search])),
      vector: await ids(things.aggregate([nearest])),
      hybrid: await ids(things.aggregate([fused])),
      counted: await things.countDocuments(),
      batches: (await things.find().batchSize(20).toArray()).length,
      deleted: (await things.deleteMany({ _id: { $gte: 1000 } })).deletedCount,
    }),
  );
} finally {
  await client.close();
}
