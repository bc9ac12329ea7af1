"""From a table to a decision: train models, ask which errors matter, choose a model, tune it, and report."""

import pandas as pd
import sklearn
from sklearn.datasets import make_classification
from sklearn.ensemble import RandomForestClassifier
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import TunedThresholdClassifierCV, train_test_split

import evenhand
from evenhand.report.document import report

sklearn.set_config(enable_metadata_routing=True)
# A table with a row for each person: what is known of them, whether they repaid, and their sex
X, repaid = make_classification(6000, n_features=6, n_informative=4, weights=[0.35], flip_y=0.1, random_state=1)
table = pd.DataFrame(X).add_prefix("x").assign(repaid=pd.Series(repaid).map({0: "no", 1: "yes"}))
table["sex"] = (table["x0"] > 0).map({True: "women", False: "men"})
train, test = train_test_split(table, test_size=0.5, stratify=table[["repaid", "sex"]], random_state=0)
known = [name for name in table if name.startswith("x")]

# Models, and what each of them does to each group
candidates = {
    "logistic": LogisticRegression(),
    "cautious": LogisticRegression(class_weight={"no": 4, "yes": 1}),
    "forest": RandomForestClassifier(50, min_samples_leaf=5, random_state=0),
}
for name, model in candidates.items():
    test[name] = model.fit(train[known], train["repaid"]).predict(test[known])
rates = evenhand.group_rates_from_table(test, label="repaid", prediction=list(candidates), group="sex")

# Questions; evenhand.oracles.TerminalOracle() asks you instead of somebody simulated, who slips now and then
mind = evenhand.FairMetric.from_weights(rates["logistic"].setting, misclassification=[1, 2], violation=[[1, 2]])
person = evenhand.SimulatedOracle(mind, flip=0.05, random_state=0)
elicited = evenhand.elicit(person, candidates=rates, out_of=100, visible=0.02, random_state=0)
# The threshold of the best model that costs least by this metric
tuned = TunedThresholdClassifierCV(candidates[elicited.best], scoring=elicited.metric.scorer())
test["tuned"] = tuned.fit(train[known], train["repaid"], sensitive_features=train["sex"]).predict(test[known])
rates = evenhand.group_rates_from_table(test, label="repaid", prediction=[*candidates, "tuned"], group="sex")
print(elicited.describe(), evenhand.rank(elicited, rates), sep="\n\n")
report(elicited, candidates=rates).save("report.html")
