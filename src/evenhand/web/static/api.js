// Shows the API's document with Swagger UI; nothing is sent to validate it elsewhere.
const here = document.getElementById("api");
SwaggerUIBundle({ url: here.dataset.document, domNode: here, validatorUrl: null, deepLinking: true });
